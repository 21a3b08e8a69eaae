import { exportSPKI } from 'jose';
import { type Answer, ask, assign, manageStatus, UNAUTHENTICATED } from '../support/ask';
import { handmade, inSeconds } from '../support/forged-tokens';
import { everyRow } from '../support/small-directory';
import { claims, startTokenTrial, type TokenTrial } from '../support/token-trial';
import { JwksEndpoint } from '../../packages/access-tokens/test/jwks-endpoint';
import { signingKey, type SigningKeyPair, tokenBy } from './signing-keys';

/** A key that a token of this age is signed with has been published for long. */
const OLD = claims({ iat: inSeconds(-300) });

const UNAVAILABLE = '{"status":503,"message":"The service is temporarily unavailable. Please try again shortly."}';
const UNAVAILABLE_STATUS =
  '{"status":"error","message":"The service is temporarily unavailable. Please try again shortly."}';

let rsa: SigningKeyPair;
let ec: SigningKeyPair;
let stranger: SigningKeyPair;

beforeAll(async () => {
  [rsa, ec, stranger] = await Promise.all([signingKey('rsa'), signingKey('ec', 'ES256'), signingKey('stranger')]);
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
    endpoint = await JwksEndpoint.open(rsa.jwk, ec.jwk);
    trial = await start(endpoint);
  });
  afterAll(async () => {
    await trial.close();
    await endpoint.down();
  });

  it.each<[string, () => SigningKeyPair]>([
    ['RS512', () => rsa],
    ['ES256', () => ec],
  ])('by %s is accepted', async (alg, key) => {
    await trial.expectAccepted(await tokenBy(key(), alg));
  });

  it('by a key that is not published is refused, also under the kid of another', async () => {
    await trial.expectRefused(await tokenBy(stranger, 'RS256', undefined, OLD));
    await trial.expectRefused(await tokenBy(stranger, 'RS256', { kid: 'rsa', jwk: stranger.jwk }));
    await trial.expectRefused(handmade(await exportSPKI(rsa.publicKey), claims(), { alg: 'HS256', kid: 'rsa' }));
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
