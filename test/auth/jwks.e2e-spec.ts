import { createHmac, generateKeyPairSync } from 'node:crypto';
import { exportSPKI } from 'jose';
import { type Answer, ask, assign, manageStatus, UNAUTHENTICATED } from '../support/ask';
import { encode, handmade, inSeconds } from '../support/forged-tokens';
import { everyRow } from '../support/small-directory';
import { claims, startTokenTrial, type TokenTrial } from '../support/token-trial';
import { JwksEndpoint } from './jwks-endpoint';
import { signingKey, type SigningKeyPair, tokenBy, tokenWithoutKey } from './signing-keys';

/** A key that a token of this age is signed with has been published for long. */
const OLD = claims({ iat: inSeconds(-300) });

const HMAC_SECRET = 'a secret that an identity provider published by mistake';
const UNAVAILABLE = '{"status":503,"message":"The service is temporarily unavailable. Please try again shortly."}';
const UNAVAILABLE_STATUS =
  '{"status":"error","message":"The service is temporarily unavailable. Please try again shortly."}';

let rsa: SigningKeyPair;
let pss: SigningKeyPair;
let ec: SigningKeyPair;
let p384: SigningKeyPair;
let stranger: SigningKeyPair;

beforeAll(async () => {
  [rsa, pss, ec, p384, stranger] = await Promise.all([
    signingKey('rsa'),
    signingKey('pss', 'PS256'),
    signingKey('ec', 'ES256'),
    signingKey('p384', 'ES384'),
    signingKey('stranger'),
  ]);
});

function start(endpoint: JwksEndpoint): Promise<TokenTrial> {
  const environment = {
    JWT_SECRET: '',
    JWT_JWKS_URI: endpoint.url,
    STATUS_TOKEN_SECRET: 'a secret of the service, for its own tokens',
  };
  return startTokenTrial(environment, () => tokenBy(rsa));
}

describe('a token where the service verifies by a key set', () => {
  let endpoint: JwksEndpoint;
  let trial: TokenTrial;

  beforeAll(async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
    endpoint = await JwksEndpoint.open(
      rsa.jwk,
      { ...pss.jwk, alg: 'PS256', use: 'sig' },
      ec.jwk,
      p384.jwk,
      { kty: 'oct', kid: 'hmac', alg: 'HS256', k: Buffer.from(HMAC_SECRET).toString('base64url') },
      { ...weak, kid: 'weak' },
      { ...rsa.jwk, kid: 'exponent-1', e: 'AQ' },
      { ...stranger.jwk, kid: 'encryption', use: 'enc' },
      { ...stranger.privateJwk, kid: 'private' },
      null,
    );
    trial = await start(endpoint);
  });
  afterAll(async () => {
    await trial.close();
    await endpoint.down();
  });

  it.each<[string, () => Promise<string>]>([
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map((alg): [string, () => Promise<string>] => [
      alg,
      () => tokenBy(rsa, alg),
    ]),
    ['PS256 by a key for it alone', () => tokenBy(pss, 'PS256')],
    ['ES256', () => tokenBy(ec, 'ES256')],
    ['ES256 with a type', () => tokenBy(ec, 'ES256', { kid: 'ec', typ: 'at+jwt' })],
    ['ES384', () => tokenBy(p384, 'ES384')],
  ])('is accepted: %s', async (_, token) => {
    await trial.expectAccepted(await token());
  });

  const pem = (): Promise<string> => exportSPKI(rsa.publicKey);
  const hs256 = (secret: string, kid?: string): string => handmade(secret, claims(), { alg: 'HS256', kid });

  it.each<[string, () => string | Promise<string>]>([
    ['RS256 by a key that is for PS256', () => tokenBy(pss, 'RS256')],
    ['PS512 by a key that is for PS256', () => tokenBy(pss, 'PS512')],
    ['ES256 under the kid of a P-384 key', () => tokenBy(ec, 'ES256', { kid: 'p384' })],
    ['ES384 under the kid of a P-256 key', () => tokenBy(p384, 'ES384', { kid: 'ec' })],
    ['RS256 under the kid of an EC key', () => tokenBy(rsa, 'RS256', { kid: 'ec' })],
    ['ES256 under the kid of an RSA key', () => tokenBy(ec, 'ES256', { kid: 'rsa' })],
    ['a key under the kid of another', () => tokenBy(stranger, 'RS256', { kid: 'rsa' })],
    ['a key that is not published', () => tokenBy(stranger, 'RS256', undefined, OLD)],
    ['a key that is published in the header', () => tokenBy(stranger, 'RS256', { kid: 'rsa', jwk: stranger.jwk })],
    [
      'a key that the header has the address of',
      () => tokenBy(stranger, 'RS256', { kid: 'stranger', jku: endpoint.url }, OLD),
    ],
    ['no kid, where there are several keys', () => tokenBy(rsa, 'RS256', {})],
    ['an empty kid', () => tokenBy(rsa, 'RS256', { kid: '' })],
    ['a kid of a prototype', () => tokenBy(rsa, 'RS256', { kid: '__proto__' }, OLD)],
    ['no key, where the exponent is 1', () => tokenWithoutKey(2048, { kid: 'exponent-1' })],
    ['a key for encryption', () => tokenBy(stranger, 'RS256', { kid: 'encryption' })],
    ['a key that is published whole', () => tokenBy(stranger, 'RS256', { kid: 'private' })],
    ['a secret that is published', () => hs256(HMAC_SECRET, 'hmac')],
    ['a secret that is published, without a kid', () => hs256(HMAC_SECRET)],
    [
      'a secret that is published, said to be RS256',
      () => handmade(HMAC_SECRET, claims(), { alg: 'RS256', kid: 'hmac' }),
    ],
    ['HS256 with the PEM of the public key', async () => hs256(await pem(), 'rsa')],
    ['HS256 with the PEM, trimmed', async () => hs256((await pem()).trim(), 'rsa')],
    ['HS256 with the published JSON', () => hs256(JSON.stringify(rsa.jwk), 'rsa')],
    ['HS256 with an empty secret', () => hs256('', 'rsa')],
    ['alg none', () => `${encode({ alg: 'none', kid: 'rsa' })}.${encode(claims())}.`],
    ['alg none, signed', () => signedAs('none')],
    ['ES512', () => signedAs('ES512')],
    ['an HMAC over RS512', () => signedAs('RS512')],
    ['an HMAC over RS256', () => signedAs('RS256')],
    ['another type', () => tokenBy(rsa, 'RS256', { kid: 'rsa', typ: 'user-status+jwt' })],
    ['no exp', () => tokenBy(rsa, 'RS256', { kid: 'rsa' }, { sub: 'ada' })],
  ])('is refused: %s', async (_, token) => {
    await trial.expectRefused(await token());
  });
});

describe('while the key set cannot be fetched', () => {
  let endpoint: JwksEndpoint;
  let trial: TokenTrial;

  beforeEach(async () => {
    endpoint = await JwksEndpoint.down(rsa.jwk, ec.jwk);
    trial = await start(endpoint);
  });
  afterEach(async () => {
    await trial.close();
    await endpoint.down();
  });

  const asCaller = (token: string): Promise<Answer> =>
    assign(trial.service, token, { userIds: ['ben'], workspaces: ['atlas'] });

  it('callers are answered 503 at once, in the shape of the route, and nothing is written', async () => {
    const before = await everyRow(trial.service);
    const started = performance.now();
    expectUnavailable(await asCaller(await tokenBy(rsa)), UNAVAILABLE);
    const asked = { id: 'ben', token: await tokenBy(rsa) };
    expectUnavailable(await manageStatus(trial.service, await tokenBy(rsa), asked), UNAVAILABLE_STATUS);
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(await everyRow(trial.service)).toEqual(before);
    expect((await ask(`${trial.service.url}/metrics`)).text).toContain('\njwks_fetch_failures_total 1\n');
  });

  it('a token that no key could verify is still refused with 401', async () => {
    expect((await asCaller(handmade('secret', claims()))).text).toBe(UNAUTHENTICATED);
    expect((await assign(trial.service, undefined, {})).text).toBe(UNAUTHENTICATED);
  });
});

describe('a key set that changes', () => {
  const now = performance.now.bind(performance);
  let ahead = 0;
  let endpoint: JwksEndpoint;
  let trial: TokenTrial;

  beforeAll(async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    endpoint = await JwksEndpoint.open(rsa.jwk);
    trial = await start(endpoint);
  });
  afterAll(async () => {
    await trial.close();
    await endpoint.down();
    jest.restoreAllMocks();
  });

  it('answers 503 for a new key after many unknown keys, until it is fetched', async () => {
    await nameUnknownKeys(trial);
    endpoint.publish(rsa.jwk, ec.jwk);
    ahead += 1_000;
    const before = await everyRow(trial.service);
    const newer = await tokenBy(ec, 'ES256');
    expectUnavailable(await assign(trial.service, newer, {}), UNAVAILABLE, 29);
    const asked = { id: 'max', token: newer };
    expectUnavailable(await manageStatus(trial.service, await tokenBy(rsa), asked), UNAVAILABLE_STATUS, 29);
    expect(await everyRow(trial.service)).toEqual(before);

    ahead += 29_000;
    await trial.expectAccepted(newer);
    endpoint.publish(rsa.jwk);
  });
});

/** Makes the service fetch the key set as often as it does without a pause. */
async function nameUnknownKeys(trial: TokenTrial): Promise<void> {
  for (let n = 0; n < 5; n++) await trial.expectRefused(await tokenBy(stranger, 'RS256', { kid: `k${n}` }, OLD));
}

function expectUnavailable(answer: Answer, body: string, seconds = 1): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 503, text: body });
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(seconds);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

/** A token whose header says one thing, and whose signature is an HMAC with the public key for a secret. */
async function signedAs(alg: string): Promise<string> {
  const content = `${encode({ alg, kid: 'rsa' })}.${encode(claims())}`;
  return `${content}.${createHmac('sha256', await exportSPKI(rsa.publicKey))
    .update(content)
    .digest('base64url')}`;
}
