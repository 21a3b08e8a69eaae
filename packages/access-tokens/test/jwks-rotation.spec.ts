import { ANY_RSA, JwksTrial, TIMING } from './jwks-trial';

let trial: JwksTrial;

beforeAll(async () => {
  trial = await JwksTrial.open();
});
beforeEach(() => trial.beforeEach());
afterEach(() => trial.afterEach());

/** Fetches the keys as often as is permitted without a cool-down. */
async function useUpFetches(): Promise<void> {
  for (let n = 0; n < TIMING.burst; n++) expect(await trial.ask('unknown')).toBe('refused');
  expect(trial.endpoint.requests).toBe(TIMING.burst);
}

describe('when keys are rotated', () => {
  it('a new key is fetched as soon as a token names it', async () => {
    const recent = Date.now() / 1_000;
    expect(await trial.ask('one')).toBe(ANY_RSA);
    trial.now += 1;
    expect(await trial.ask('two', 'RS256', recent)).toBe('refused');
    trial.endpoint.publish(trial.one.jwk, trial.two.jwk);
    trial.now += 1;
    expect(await trial.ask('two', 'RS256', recent)).toBe(ANY_RSA);
    expect(trial.endpoint.requests).toBe(3);
  });

  it('unknown keys are fetched at most five times at once, and then once per cool-down', async () => {
    const flood = () => Promise.all(Array.from({ length: 200 }, (_, n) => trial.ask(`random-${n}`)));
    expect(await trial.ask('one')).toBe(ANY_RSA);
    for (let n = 0; n < 10; n++) expect(new Set(await flood())).toEqual(new Set(['refused']));
    expect(trial.endpoint.requests).toBe(TIMING.burst);

    trial.endpoint.publish(trial.one.jwk, trial.two.jwk);
    expect(await trial.ask('two')).toBe('refused');
    trial.now += TIMING.cooldownMs;
    const withNewKey = Array.from({ length: 200 }, (_, n) => trial.ask(n === 100 ? 'two' : `random-${n}`));
    expect((await Promise.all(withNewKey)).filter((answer) => answer === ANY_RSA)).toHaveLength(1);
    for (let n = 0; n < 10; n++) expect(new Set(await flood())).toEqual(new Set(['refused']));
    expect(trial.endpoint.requests).toBe(TIMING.burst + 1);

    trial.now += 100 * TIMING.cooldownMs;
    for (let n = 0; n < 10; n++) await flood();
    expect(trial.endpoint.requests).toBe(2 * TIMING.burst + 1);
  });

  it('a token that is newer than the last fetch is answered with the time of the next fetch', async () => {
    const recent = () => Date.now() / 1_000;
    await useUpFetches();
    trial.endpoint.publish(trial.one.jwk, trial.two.jwk);
    trial.now += 1;
    for (const issuedAt of [recent(), recent() - 30, recent() + 30, {}, 'then', null]) {
      expect(await trial.ask('two', 'RS256', issuedAt)).toBe('unavailable for 30 s');
    }
    trial.now += 20_000;
    expect(await trial.ask('two', 'RS256', recent())).toBe('unavailable for 10 s');
    trial.now += 9_998;
    expect(await trial.ask('two', 'RS256', recent())).toBe('unavailable for 1 s');
    expect(trial.endpoint.requests).toBe(TIMING.burst);
    trial.now += 1;
    expect(await trial.ask('two', 'RS256', recent())).toBe(ANY_RSA);
    expect(await trial.ask('random', 'RS256', recent())).toBe('refused');
    trial.now += 1;
    expect(await trial.ask('random', 'RS256', recent())).toBe('unavailable for 30 s');
    expect(trial.endpoint.requests).toBe(TIMING.burst + 1);
  });

  it('a token is as new as before when the wall clock is set back', async () => {
    await useUpFetches();
    trial.now += 1;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    try {
      expect(await trial.ask('two', 'RS256', Date.now() / 1_000)).toBe('unavailable for 30 s');
    } finally {
      clock.mockRestore();
    }
  });

  it('a token of a published but unusable key, or without a kid, is refused at once', async () => {
    trial.endpoint.publish(trial.one.jwk, trial.two.jwk, { ...trial.ec.jwk, use: 'enc' });
    await useUpFetches();
    trial.now += 1;
    for (const kid of ['ec', undefined, '']) expect(await trial.ask(kid, 'ES256', Date.now() / 1_000)).toBe('refused');
    expect(trial.endpoint.requests).toBe(TIMING.burst);
  });

  it('old keys are fetched again in the background', async () => {
    trial.endpoint.publish(trial.one.jwk, trial.two.jwk);
    expect(await trial.ask('one')).toBe(ANY_RSA);
    trial.endpoint.publish(trial.two.jwk);
    trial.now += TIMING.refreshMs;
    expect(await trial.ask('one')).toBe(ANY_RSA);
    expect(trial.endpoint.requests).toBe(1);
    trial.now += 1;
    expect(await trial.ask('one')).toBe(ANY_RSA);
    await trial.fetched();
    expect(trial.endpoint.requests).toBe(2);
    expect(await trial.ask('one')).toBe('refused');
    expect(await trial.ask('two')).toBe(ANY_RSA);
  });

  it('a withdrawn key is accepted until the maximum age, and then refused', async () => {
    trial.endpoint.publish(trial.one.jwk, trial.two.jwk);
    expect(await trial.ask('one')).toBe(ANY_RSA);
    trial.endpoint.publish(trial.two.jwk);
    trial.now += TIMING.maxAgeMs;
    expect(await trial.ask('one')).toBe(ANY_RSA);
    await trial.fetched();
    trial.endpoint.publish(trial.one.jwk);
    trial.now += TIMING.maxAgeMs + 1;
    expect(await trial.ask('two')).toBe('refused');
    expect(await trial.ask('one')).toBe(ANY_RSA);
  });

  it.each<[string, unknown[]]>([
    ['the set is empty', []],
    ['the set has only a secret', [{ kty: 'oct', kid: 'one', k: 'c2VjcmV0'.repeat(8) }]],
  ])('all tokens are refused when %s', async (_, left) => {
    expect(await trial.ask('one')).toBe(ANY_RSA);
    trial.endpoint.publish(...left);
    trial.now += TIMING.maxAgeMs + 1;
    expect(await trial.ask('one')).toBe('refused');
  });

  it('a kid that now names another key is verified by that key', async () => {
    expect(await trial.ask('one')).toBe(ANY_RSA);
    trial.endpoint.publish({ ...trial.ec.jwk, kid: 'one' });
    trial.now += TIMING.maxAgeMs + 1;
    expect(await trial.ask('one', 'ES256')).toBe('ES256');
  });
});
