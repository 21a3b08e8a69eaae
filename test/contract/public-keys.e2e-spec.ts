import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { encode, handmade } from '../support/forged-tokens';
import { claims, signed, startTokenTrial, type TokenTrial } from '../support/token-trial';

type Pair = { publicKey: KeyObject; privateKey: KeyObject };

const RSA: Pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OTHER_RSA: Pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const EC: Pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const OTHER_EC: Pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const P384: Pair = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const OTHER_P384: Pair = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const P521: Pair = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const ED25519: Pair = generateKeyPairSync('ed25519');

const by = ({ privateKey }: Pair, alg: string, header: object = {}): Promise<string> =>
  new SignJWT(claims()).setProtectedHeader({ alg, ...header }).sign(privateKey);
const pem = ({ publicKey }: Pair): string => publicKey.export({ type: 'spki', format: 'pem' }).toString();
const der = ({ publicKey }: Pair): Buffer => publicKey.export({ type: 'spki', format: 'der' });

/** RFC 8725 section 2.1: the public key must not be accepted as the secret of an HMAC. */
const confused = (secret: string | Buffer): string => handmade(secret, claims(), { alg: 'HS256', typ: 'JWT' });

function start(pair: Pair, alg: string): Promise<TokenTrial> {
  return startTokenTrial({ JWT_SECRET: '', JWT_PUBLIC_KEY: pem(pair) }, () => by(pair, alg));
}

const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

const NEVER: [string, () => string | Promise<string>][] = [
  ['HS256 with the PEM of RSA for a secret', () => confused(pem(RSA))],
  ['HS256 with the PEM of RSA, trimmed', () => confused(pem(RSA).trim())],
  ['HS256 with the DER of RSA', () => confused(der(RSA))],
  ['HS256 with the PEM of EC for a secret', () => confused(pem(EC))],
  ['HS256 with the PEM of EC, trimmed', () => confused(pem(EC).trim())],
  ['HS256 with an empty secret', () => confused('')],
  ['HS256 with some secret', () => signed(claims())],
  ['alg none', () => `${encode({ alg: 'none' })}.${encode(claims())}.`],
  ['another RSA key', () => by(OTHER_RSA, 'RS256')],
  [
    'another RSA key, published in the header',
    () => by(OTHER_RSA, 'RS256', { jwk: OTHER_RSA.publicKey.export({ format: 'jwk' }) }),
  ],
  ['another EC key', () => by(OTHER_EC, 'ES256')],
  [
    'another EC key, published in the header',
    () => by(OTHER_EC, 'ES256', { jwk: OTHER_EC.publicKey.export({ format: 'jwk' }) }),
  ],
  ['another RSA key, by PS512', () => by(OTHER_RSA, 'PS512')],
  ['another P-384 key', () => by(OTHER_P384, 'ES384')],
  ['ES512', () => by(P521, 'ES512')],
  ['EdDSA', () => by(ED25519, 'EdDSA')],
  ['an ES256 signature of zeros', () => `${encode({ alg: 'ES256' })}.${encode(claims())}.${'A'.repeat(86)}`],
  ['typ user-status+jwt by RSA', () => by(RSA, 'RS256', { typ: 'user-status+jwt' })],
  ['typ user-status+jwt by EC', () => by(EC, 'ES256', { typ: 'user-status+jwt' })],
];

describe('with an RSA public key', () => {
  let trial: TokenTrial;
  beforeAll(async () => {
    trial = await start(RSA, 'RS256');
  });
  afterAll(() => trial.close());

  it.each(RSA_ALGORITHMS)('%s is accepted', async (alg) => {
    await trial.expectAccepted(await by(RSA, alg));
  });

  it.each([
    ...NEVER,
    ['ES256', () => by(EC, 'ES256')] as const,
    ['ES384', () => by(P384, 'ES384')] as const,
    ['RS512 said to be RS256', async () => saidToBe('RS256', await by(RSA, 'RS512'))] as const,
  ])('%s is refused', async (_, token) => {
    await trial.expectRefused(await token());
  });
});

describe.each([
  ['P-256', EC, 'ES256', () => by(P384, 'ES384')],
  ['P-384', P384, 'ES384', () => by(EC, 'ES256')],
] as const)('by a public key on %s', (_curve, pair, alg, byTheOther) => {
  let trial: TokenTrial;
  beforeAll(async () => {
    trial = await start(pair, alg);
  });
  afterAll(() => trial.close());

  it(`${alg} is accepted`, async () => {
    await trial.expectAccepted(await by(pair, alg));
  });

  it.each([
    ...NEVER,
    ['the other curve', byTheOther] as const,
    ...RSA_ALGORITHMS.map((rsa) => [rsa, () => by(RSA, rsa)] as const),
  ])('%s is refused', async (_, token) => {
    await trial.expectRefused(await token());
  });
});

/** A token whose header names another algorithm than the one that it is signed with. */
function saidToBe(alg: string, token: string): string {
  return [encode({ alg }), ...token.split('.').slice(1)].join('.');
}
