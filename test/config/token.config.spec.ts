import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';
import { problemsOf, SECRET } from './problems-of';

const KEYED: Environment = { JWT_SECRET: SECRET };
const ONE_OF = 'JWT_SECRET, JWT_PUBLIC_KEY or JWT_JWKS_URI';

const pem = (key: { export(options: { type: string; format: 'pem' }): string | Buffer }, type = 'spki'): string =>
  String(key.export({ type, format: 'pem' }));
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });

/** Of an EC key on P-256, which Node would accept as one. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBbTCCAROgAwIBAgIUGejy4Fn1VpYfo5PWq7/cHhFpk4YwCgYIKoZIzj0EAwIw
DDEKMAgGA1UEAwwBeDAeFw0yNjExMjQwMzIwNDBaFw0zNjExMjEwMzIwNDBaMAwx
CjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQaevRKxVXSqxJR
uPZCV1Hca01Q/E4wH33aFqmpmqNhZPFFjFX9y9PgPdlDmhCKXJyCuwgE/WX6912T
KfFT5yGzo1MwUTAdBgNVHQ4EFgQUaMffAk/FsRhzuhK9AMPTgSQtadgwHwYDVR0j
BBgwFoAUaMffAk/FsRhzuhK9AMPTgSQtadgwDwYDVR0TAQH/BAUwAwEB/zAKBggq
hkjOPQQDAgNIADBFAiEA2k8utHme2rYXxWmjBUYuadzdweuoQ1LkeMzlGxrAiDUC
IC7BiLivSbRM5cBFuXC3yUf7jBbBC8l+4IJFa8T8JKmX
-----END CERTIFICATE-----
`;

const SECRETS = ['JWT_SECRET', 'STATUS_TOKEN_SECRET', 'JWT_SECRET_PREVIOUS', 'STATUS_TOKEN_SECRET_PREVIOUS'];

describe('the key of access tokens', () => {
  const rsaKeys = rsa(2048);
  const withExponent = (e: string): string =>
    pem(createPublicKey({ key: { ...rsaKeys.publicKey.export({ format: 'jwk' }), e }, format: 'jwk' }));
  const publicKey = pem(rsaKeys.publicKey);
  const jwks = 'https://login.example.com/jwks';

  it.each([
    { JWT_SECRET: SECRET, JWT_PUBLIC_KEY: publicKey },
    { JWT_SECRET: SECRET, JWT_JWKS_URI: jwks },
    { JWT_PUBLIC_KEY: publicKey, JWT_JWKS_URI: jwks },
    { JWT_SECRET: SECRET, JWT_PUBLIC_KEY: publicKey, JWT_JWKS_URI: jwks },
  ])('is set in exactly one way (%#)', (environment) => {
    expect(problemsOf(environment)).toEqual([`Set only one of ${ONE_OF}: tokens are verified by exactly one of them.`]);
  });

  it('is a secret of at least 32 bytes, whatever its number of characters', () => {
    const problem = ['JWT_SECRET must be at least 32 bytes long (RFC 7518 section 3.2).'];
    expect(problemsOf({ JWT_SECRET: 'a'.repeat(31) })).toEqual(problem);
    expect(problemsOf({ JWT_SECRET: 'ab'.repeat(16) })).toEqual([]);
    expect(problemsOf({ JWT_SECRET: 'ß'.repeat(15) })).toEqual(problem);
    expect(problemsOf({ JWT_SECRET: 'ß'.repeat(16) })).toEqual([]);
    expect(problemsOf({ JWT_SECRET: '🔑'.repeat(8) })).toEqual([]);
  });

  it.each(SECRETS)('cannot be a %s of one repeated byte', (name) => {
    expect(problemsOf({ ...KEYED, [name]: 'a'.repeat(64) })).toEqual([
      `${name} must not be one byte repeated: anybody can guess it.`,
    ]);
    expect(problemsOf({ ...KEYED, [name]: `${'a'.repeat(63)}b` })).toEqual([]);
  });

  it.each(SECRETS)('cannot be a %s that is a public key', (name) => {
    const problem = [`${name} must not be a public key or a certificate: anybody may know it.`];
    const keys = [
      publicKey,
      `\n${publicKey.replaceAll('\n', '\\n')}`,
      pem(rsaKeys.publicKey, 'pkcs1'),
      pem(ec('P-256').publicKey),
    ];
    for (const key of [...keys, '-----BEGIN CERTIFICATE-----\nMIIBtjCCAVugAwIBAgITBmyf1XSXNmY']) {
      expect(problemsOf({ ...KEYED, [name]: key })).toEqual(problem);
    }
  });

  it('can be a public key: RSA of 2048 bits or more, or EC on P-256 or P-384', () => {
    for (const key of [
      publicKey,
      pem(rsa(3072).publicKey),
      pem(rsaKeys.publicKey, 'pkcs1'),
      pem(ec('P-256').publicKey),
      pem(ec('P-384').publicKey),
    ]) {
      expect(loadConfig({ JWT_PUBLIC_KEY: key }).accessTokens.key).toEqual({ kind: 'public-key', pems: [key.trim()] });
    }
  });

  it('can be several public keys, of different kinds, with text between them', () => {
    const [old, next] = [publicKey, pem(ec('P-384').publicKey)];
    const pems = [old.trim(), next.trim()];
    for (const both of [
      old + next,
      `the old key\n${old}\n\nthe next one:\r\n${next}`,
      `${old}${next}`.replaceAll('\n', '\\n'),
    ]) {
      expect(loadConfig({ JWT_PUBLIC_KEY: both }).accessTokens.key).toEqual({ kind: 'public-key', pems });
    }
  });

  it('can have line breaks that are written as \\n', () => {
    const key = { kind: 'public-key', pems: [publicKey.trim()] };
    expect(loadConfig({ JWT_PUBLIC_KEY: publicKey.replaceAll('\n', '\\n') }).accessTokens.key).toEqual(key);
  });

  it.each([
    ['RSA of fewer bits', () => pem(rsa(1024).publicKey)],
    ['EC on another curve', () => pem(ec('P-521').publicKey)],
    ['EC on a curve that only looks alike', () => pem(ec('secp256k1').publicKey)],
    ['Ed25519', () => pem(generateKeyPairSync('ed25519').publicKey)],
    ['an RSA-PSS key', () => pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey)],
    ['a private key', () => pem(rsaKeys.privateKey, 'pkcs8')],
    ['a private key of the older form', () => pem(rsaKeys.privateKey, 'pkcs1')],
    ['an EC private key', () => pem(ec('P-256').privateKey, 'sec1')],
    ['a private key beside its public key', () => pem(rsaKeys.privateKey, 'pkcs8') + publicKey],
    ['a public key beside its private key', () => publicKey + pem(rsaKeys.privateKey, 'pkcs8')],
    ['a public key that is cut short', () => publicKey.slice(0, 200)],
    ['a certificate', () => CERTIFICATE],
    ['text', () => 'PUBLIC KEY'],
    ['RSA with the exponent 1', () => withExponent('AQ')],
    ['RSA with an exponent below 65537', () => withExponent('Aw')],
    ['RSA with an even exponent', () => withExponent('AQAC')],
    ['a public key beside a weak one', () => publicKey + withExponent('AQ')],
    ['a public key beside a certificate', () => publicKey + CERTIFICATE],
    ['a public key beside one that is cut short', () => publicKey + publicKey.slice(0, 200)],
  ])('cannot be %s', (_, key) => {
    expect(problemsOf({ JWT_PUBLIC_KEY: key() })).toEqual([
      'JWT_PUBLIC_KEY must be public keys in PEM form, and nothing else: RSA of at least 2048 bits with an odd exponent from 65537, or EC on P-256 or P-384.',
    ]);
  });
});

describe('the previous secrets', () => {
  const [previous, other] = ['the secret that was used until now', 'another secret that was used until now'];
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/directory' };

  it('must be as strong as the current ones', () => {
    for (const name of ['JWT_SECRET_PREVIOUS', 'STATUS_TOKEN_SECRET_PREVIOUS']) {
      expect(problemsOf({ ...KEYED, [name]: 'short' })).toEqual([
        `${name} must be at least 32 bytes long (RFC 7518 section 3.2).`,
      ]);
    }
  });

  it('are those of status tokens, too, where one secret signs both', () => {
    const config = loadConfig({ ...KEYED, JWT_SECRET_PREVIOUS: previous });
    expect(config.accessTokens.key).toEqual({ kind: 'secret', secret: SECRET, previous });
    expect(config.previousStatusTokenSecrets).toEqual([previous]);
    const split = { ...KEYED, STATUS_TOKEN_SECRET: SECRET, JWT_SECRET_PREVIOUS: previous };
    expect(loadConfig(split).previousStatusTokenSecrets).toEqual([]);
    expect(loadConfig({ ...split, STATUS_TOKEN_SECRET_PREVIOUS: other }).previousStatusTokenSecrets).toEqual([other]);
  });

  it('of access tokens requires a current one, and neither takes its place', () => {
    const problem = 'JWT_SECRET_PREVIOUS requires JWT_SECRET: tokens are verified by keys of one kind.';
    const jwks = { JWT_JWKS_URI: 'https://login.example.com/jwks' };
    expect(problemsOf({ ...jwks, JWT_SECRET_PREVIOUS: previous })).toEqual([problem]);
    expect(problemsOf({ ...production, ...jwks, STATUS_TOKEN_SECRET_PREVIOUS: previous })).toEqual([
      'Set STATUS_TOKEN_SECRET: production does not generate one, and a public key cannot sign status tokens.',
    ]);
  });
});

describe('the configuration of claims', () => {
  it.each(['users:administer', 'https://example.com/scopes/admin', 'a'])('permits %s as JWT_ADMIN_SCOPE', (scope) => {
    expect(loadConfig({ ...KEYED, JWT_ADMIN_SCOPE: scope }).accessTokens.adminScope).toBe(scope);
  });

  it.each([' ', 'a b', 'a ', '\ta', 'a\n', 'a\u00a0b'])('refuses %j as JWT_ADMIN_SCOPE', (scope) => {
    expect(problemsOf({ ...KEYED, JWT_ADMIN_SCOPE: scope })).toEqual([
      'JWT_ADMIN_SCOPE must be one scope without spaces.',
    ]);
  });

  it.each(['roles', 'scp', 'realm_access.roles', 'https://example.com/claims/scopes'])(
    'permits %s as JWT_SCOPE_CLAIM',
    (claim) => {
      expect(loadConfig({ ...KEYED, JWT_SCOPE_CLAIM: claim }).accessTokens.scopeClaim).toBe(claim);
    },
  );

  it.each(['a b', ' ', 'sub', 'iss', 'aud', 'exp', 'nbf', 'iat', 'jti'])('refuses %j as JWT_SCOPE_CLAIM', (claim) => {
    expect(problemsOf({ ...KEYED, JWT_SCOPE_CLAIM: claim })).toEqual([
      'JWT_SCOPE_CLAIM must be the name of one claim, without spaces and none of iss, aud, exp, nbf, iat, jti, sub.',
    ]);
  });

  it.each(['sub', 'oid', 'email', 'https://example.com/claims/user'])('permits %s as JWT_USER_CLAIM', (claim) => {
    expect(loadConfig({ ...KEYED, JWT_USER_CLAIM: claim }).accessTokens.userClaim).toBe(claim);
  });

  it.each(['a b', ' ', 'iss', 'aud', 'exp', 'nbf', 'iat', 'jti'])('refuses %j as JWT_USER_CLAIM', (claim) => {
    expect(problemsOf({ ...KEYED, JWT_USER_CLAIM: claim })).toEqual([
      'JWT_USER_CLAIM must be the name of one claim, without spaces and none of iss, aud, exp, nbf, iat, jti.',
    ]);
  });

  it.each(['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_SERVICE_SUBJECTS'])(
    'reads %s as a list without empty entries',
    (name) => {
      expect(problemsOf({ ...KEYED, [name]: 'a' })).toEqual([]);
      expect(problemsOf({ ...KEYED, [name]: 'a, b' })).toEqual([]);
      for (const list of [',', 'a,', ',a', 'a,,b', ' ', 'a, ,b']) {
        expect(problemsOf({ ...KEYED, [name]: list })).toEqual([
          `${name} must be a list of entries, separated by commas.`,
        ]);
      }
    },
  );
});
