import { generateKeyPairSync } from 'node:crypto';
import { exportSPKI } from 'jose';
import { TokenRefusedError, TokenVerifier } from '@user-administration/access-tokens';
import { loadConfig } from '../../src/load-config';
import { encode, handmade, inSeconds } from '../support/forged-tokens';
import { claims, signed } from '../support/token-trial';
import { JwksEndpoint } from '../../packages/access-tokens/test/jwks-endpoint';
import { signingKey, type SigningKeyPair, tokenBy, tokenWithoutKey } from './signing-keys';

const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
/** A key that a token of this age is signed with has been published for long. */
const OLD = claims({ iat: inSeconds(-300) });
const HMAC_SECRET = 'a secret that an identity provider published by mistake';

const KINDS = [
  ['rsa', 'RS256'],
  ['pss', 'PS256'],
  ['ec', 'ES256'],
  ['p384', 'ES384'],
  ['p521', 'ES512'],
  ['ed25519', 'EdDSA'],
  ['stranger', 'RS256'],
  ['strange-ec', 'ES256'],
  ['strange-p384', 'ES384'],
] as const;
const keys = {} as Record<(typeof KINDS)[number][0], SigningKeyPair>;
let endpoint: JwksEndpoint;
/** One judge for each kind of key: each PEM, and a key set. */
let judges: Record<'rsa' | 'ec' | 'p384' | 'set', TokenVerifier>;

beforeAll(async () => {
  for (const [name, alg] of KINDS) keys[name] = await signingKey(name, alg);
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  endpoint = await JwksEndpoint.open(
    ...[keys.rsa, keys.ec, keys.p384, keys.p521, keys.ed25519].map(({ jwk }) => jwk),
    { ...keys.pss.jwk, alg: 'PS256', use: 'sig' },
    { kty: 'oct', kid: 'hmac', alg: 'HS256', k: Buffer.from(HMAC_SECRET).toString('base64url') },
    { ...weak, kid: 'weak' },
    { ...keys.rsa.jwk, kid: 'exponent-1', e: 'AQ' },
    { ...keys.stranger.jwk, kid: 'encryption', use: 'enc' },
    { ...keys.stranger.privateJwk, kid: 'private' },
    null,
  );
  const by = (environment: object) =>
    new TokenVerifier(
      loadConfig({ STATUS_TOKEN_SECRET: 'a secret of the service, for its own', ...environment }).accessTokens,
    );
  const byKey = async (name: 'rsa' | 'ec' | 'p384') => by({ JWT_PUBLIC_KEY: await pemOf(name) });
  const set = by({ JWT_JWKS_URI: endpoint.url });
  judges = { rsa: await byKey('rsa'), ec: await byKey('ec'), p384: await byKey('p384'), set };
});
afterAll(() => endpoint.down());

const pemOf = (name: keyof typeof keys): Promise<string> => exportSPKI(keys[name].publicKey);

async function isAccepted(token: string, judge: keyof typeof judges): Promise<boolean> {
  return judges[judge].verify(token).then(
    () => true,
    (error: unknown) => {
      if (error instanceof TokenRefusedError) return false;
      throw error;
    },
  );
}

describe.each<[keyof typeof judges, string[]]>([
  ['rsa', RSA_ALGORITHMS],
  ['ec', ['ES256']],
  ['p384', ['ES384']],
  ['set', [...RSA_ALGORITHMS, 'ES256', 'ES384']],
])('where tokens are verified by the key %s', (judge, algorithms) => {
  it('its algorithms are accepted, and no others', async () => {
    const accepted: string[] = [];
    for (const [name, alg] of [...RSA_ALGORITHMS.map((alg) => ['rsa', alg] as const), ...KINDS.slice(2, 6)])
      for (const typ of [undefined, 'at+jwt'])
        if (await isAccepted(await tokenBy(keys[name], alg, { kid: name, typ }), judge)) accepted.push(alg);
    expect(accepted).toEqual(algorithms.flatMap((alg) => [alg, alg]));
  });

  /** RFC 8725 section 2.1: the public key must not be accepted as the secret of an HMAC. */
  it.each(['rsa', 'ec'] as const)('the public key %s is no secret', async (name) => {
    const pem = await pemOf(name);
    const der = Buffer.from(pem.replace(/-----.*-----|\s/g, ''), 'base64');
    for (const secret of [pem, pem.trim(), der, JSON.stringify(keys[name].jwk), ''])
      for (const alg of ['HS256', 'RS256', 'RS512', 'none'])
        expect(await isAccepted(handmade(secret, claims(), { alg, kid: name }), judge)).toBe(false);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['some secret', () => signed(claims())],
    ['alg none', () => `${encode({ alg: 'none', kid: 'rsa' })}.${encode(claims())}.`],
    ['another RSA key', () => tokenBy(keys.stranger, 'RS256', { kid: 'rsa' })],
    ['another RSA key, by PS512', () => tokenBy(keys.stranger, 'PS512', { kid: 'rsa' })],
    ['another EC key', () => tokenBy(keys['strange-ec'], 'ES256', { kid: 'ec' })],
    ['another P-384 key', () => tokenBy(keys['strange-p384'], 'ES384', { kid: 'p384' })],
    ['an RSA key in the header', () => tokenBy(keys.stranger, 'RS256', { kid: 'rsa', jwk: keys.stranger.jwk })],
    ['an EC key in the header', () => tokenBy(keys['strange-ec'], 'ES256', { kid: 'ec', jwk: keys['strange-ec'].jwk })],
    ['zeros', () => `${encode({ alg: 'ES256', kid: 'ec' })}.${encode(claims())}.${'A'.repeat(86)}`],
    ['RS512 said to be RS256', async () => saidToBe('RS256', await tokenBy(keys.rsa, 'RS512'))],
    ['RSA, of another type', () => tokenBy(keys.rsa, 'RS256', { kid: 'rsa', typ: 'user-status+jwt' })],
    ['EC, of another type', () => tokenBy(keys.ec, 'ES256', { kid: 'ec', typ: 'user-status+jwt' })],
    ['RSA, without exp', () => tokenBy(keys.rsa, 'RS256', { kid: 'rsa' }, { sub: 'ada' })],
  ])('a token by %s is refused', async (_, token) => {
    expect(await isAccepted(await token(), judge)).toBe(false);
  });
});

describe('where tokens are verified by a key set', () => {
  const byStranger = (header: object, payload = OLD) => tokenBy(keys.stranger, 'RS256', header, payload);

  it('a key with an algorithm is accepted by that one', async () => {
    expect(await isAccepted(await tokenBy(keys.pss, 'PS256'), 'set')).toBe(true);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['RS256 by a key that is for PS256', () => tokenBy(keys.pss, 'RS256')],
    ['PS512 by a key that is for PS256', () => tokenBy(keys.pss, 'PS512')],
    ['ES256 under the kid of a P-384 key', () => tokenBy(keys.ec, 'ES256', { kid: 'p384' })],
    ['ES384 under the kid of a P-256 key', () => tokenBy(keys.p384, 'ES384', { kid: 'ec' })],
    ['RS256 under the kid of an EC key', () => tokenBy(keys.rsa, 'RS256', { kid: 'ec' })],
    ['ES256 under the kid of an RSA key', () => tokenBy(keys.ec, 'ES256', { kid: 'rsa' })],
    ['a key that is not published', () => byStranger({ kid: 'stranger' })],
    ['a key that the header has the address of', () => byStranger({ kid: 'stranger', jku: endpoint.url })],
    ['no kid, where there are several keys', () => tokenBy(keys.rsa, 'RS256', {})],
    ['an empty kid', () => tokenBy(keys.rsa, 'RS256', { kid: '' })],
    ['a kid of a prototype', () => tokenBy(keys.rsa, 'RS256', { kid: '__proto__' }, OLD)],
    ['no key, where the exponent is 1', () => tokenWithoutKey(2048, { kid: 'exponent-1' })],
    ['a key for encryption', () => byStranger({ kid: 'encryption' })],
    ['a key that is published whole', () => byStranger({ kid: 'private' })],
    ['a secret that is published', () => handmade(HMAC_SECRET, claims(), { alg: 'HS256', kid: 'hmac' })],
    ['that secret, without a kid', () => handmade(HMAC_SECRET, claims(), { alg: 'HS256' })],
    ['that secret, said to be RS256', () => handmade(HMAC_SECRET, claims(), { alg: 'RS256', kid: 'hmac' })],
  ])('%s is refused', async (_, token) => {
    expect(await isAccepted(await token(), 'set')).toBe(false);
  });
});

/** A token whose header names another algorithm than the one that it is signed with. */
function saidToBe(alg: string, token: string): string {
  return [encode({ alg, kid: 'rsa' }), ...token.split('.').slice(1)].join('.');
}
