import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import type { JwtHeader } from 'jsonwebtoken';
import { TokenRefusedError } from '../../src/auth/access-token.rules';
import { JwksKeys } from '../../src/auth/jwks-keys';
import { ServiceError } from '../../src/contract/errors';
import { drip, json, JwksEndpoint, silence, text } from './jwks-endpoint';
import { signingKey, type SigningKeyPair } from './signing-keys';

const TIMING = { refreshMs: 300_000, maxAgeMs: 600_000, cooldownMs: 30_000, retryMs: 1_000, timeoutMs: 300 };

let one: SigningKeyPair;
let two: SigningKeyPair;
let ec: SigningKeyPair;
let endpoint: JwksEndpoint;
let keys: JwksKeys;
let now: number;

const logged: string[] = [];
const keep = (message: string): number => logged.push(message);

beforeAll(async () => {
  Logger.overrideLogger({ log: keep, warn: keep, error: keep });
  [one, two, ec] = await Promise.all([signingKey('one'), signingKey('two'), signingKey('ec', 'ES256')]);
});
beforeEach(async () => {
  now = 0;
  endpoint = await JwksEndpoint.open(one.jwk);
  keys = new JwksKeys(endpoint.url, TIMING, () => now);
});
afterEach(() => endpoint.down());

/** Looks up the key for a token with this header that is an hour old: its algorithms, or the reason why there is none. */
async function ask(kid: unknown, alg = 'RS256', issuedAt: unknown = Date.now() / 1_000 - 3_600): Promise<string> {
  try {
    return (await keys.get({ alg, kid } as JwtHeader, () => issuedAt)).algorithms.join();
  } catch (error) {
    if (error instanceof TokenRefusedError) return 'refused';
    if (!(error instanceof ServiceError) || error.code !== 'service.unavailable') throw error;
    const seconds = error.details.args?.seconds;
    return seconds === undefined ? 'unavailable' : `unavailable for ${seconds} s`;
  }
}

const keyFor = (kid: string, alg: string) => keys.get({ kid, alg } as JwtHeader, () => undefined);

/** Resolves when the background fetch has ended. */
const fetched = (): Promise<void> | undefined => (keys as unknown as { fetching?: Promise<void> }).fetching;

const ANY_RSA = 'RS256,RS384,RS512,PS256,PS384,PS512';

describe('a key of a key set', () => {
  it('is found by its kid, and permits the algorithms of its kind', async () => {
    endpoint.publish(one.jwk, ec.jwk);
    expect(await ask('one')).toBe(ANY_RSA);
    expect(await ask('one', 'PS256')).toBe(ANY_RSA);
    expect(await ask('ec', 'ES256')).toBe('ES256');
    expect((await keyFor('ec', 'ES256')).key.export({ format: 'jwk' })).toMatchObject({ x: ec.jwk.x });
    expect(endpoint.requests).toBe(1);
  });

  it.each(['RS256', 'RS512', 'PS256', 'PS384'])('that says alg %s is good for that alone', async (alg) => {
    endpoint.publish({ ...one.jwk, alg });
    expect(await ask('one')).toBe(alg);
  });

  it('is the one that is meant where no kid is, if there is no other', async () => {
    expect(await ask(undefined)).toBe(ANY_RSA);
  });

  it.each<[string, () => object[]]>([
    ['two', () => [one.jwk, two.jwk]],
    ['two without a kid themselves', () => [withoutKid(one), withoutKid(two)]],
    ['one with and one without a kid', () => [one.jwk, withoutKid(two)]],
    ['two of different kinds', () => [one.jwk, ec.jwk]],
  ])('is not guessed where no kid is and there are %s', async (_, published) => {
    endpoint.publish(...published());
    expect(await ask(undefined)).toBe('refused');
  });

  it('that shares its kid is found by the algorithm, and else is the first', async () => {
    endpoint.publish({ ...ec.jwk, kid: 'one' }, one.jwk, { ...two.jwk, kid: 'one' });
    expect(await ask('one', 'ES256')).toBe('ES256');
    expect((await keyFor('one', 'RS256')).key.export({ format: 'jwk' })).toMatchObject({
      n: one.jwk.n,
    });
  });

  it.each<[string, () => unknown]>([
    ['null', () => null],
    ['text', () => 'one'],
    ['a number', () => 7],
    ['a list', () => [one.jwk]],
    ['empty', () => ({})],
    ['garbage', () => ({ kty: 'RSA', kid: 'bad', n: '!', e: [] })],
    ['lacking a part', () => ({ ...one.jwk, kid: 'bad', e: undefined })],
    ['of an unknown kind', () => ({ ...one.jwk, kid: 'bad', kty: 'rsa' })],
    ['a secret', () => ({ kty: 'oct', kid: 'bad', k: 'c2VjcmV0'.repeat(8) })],
    ['a secret for RS256', () => ({ kty: 'oct', kid: 'bad', alg: 'RS256', k: 'c2VjcmV0'.repeat(8) })],
    ['private', () => ({ ...one.privateJwk, kid: 'bad' })],
    ['private, on a curve', () => ({ ...ec.privateJwk, kid: 'bad' })],
    ['for encryption', () => ({ ...one.jwk, kid: 'bad', use: 'enc' })],
    ['for key operations other than verifying', () => ({ ...one.jwk, kid: 'bad', key_ops: ['encrypt'] })],
    ['for another algorithm', () => ({ ...one.jwk, kid: 'bad', alg: 'RSA-OAEP' })],
    ['for the algorithm of another curve', () => ({ ...ec.jwk, kid: 'bad', alg: 'ES384' })],
    ['for an algorithm of another kind', () => ({ ...one.jwk, kid: 'bad', alg: 'ES256' })],
    ['for HS256', () => ({ ...one.jwk, kid: 'bad', alg: 'HS256' })],
    ['RSA of 1024 bits', () => ({ ...weakRsa(), kid: 'bad' })],
    ['on P-521', async () => ({ ...(await signingKey('bad', 'ES512')).jwk })],
    ['Ed25519', async () => ({ ...(await signingKey('bad', 'EdDSA')).jwk })],
  ])('that is %s is passed over, and the others count', async (_, bad) => {
    endpoint.publish(await bad(), two.jwk);
    for (const alg of ['RS256', 'PS256', 'ES256']) expect(await ask('bad', alg)).toBe('refused');
    expect(await ask('two')).toBe(ANY_RSA);
    expect(await ask(undefined)).toBe(ANY_RSA);
  });

  it.each(['HS256', 'none', 'ES512', 'RSA-OAEP', 'EdDSA', 'rs256', ''])(
    'is not even looked for when alg is "%s"',
    async (alg) => {
      expect(await ask('one', alg)).toBe('refused');
      expect(endpoint.requests).toBe(0);
    },
  );

  it.each([null, 7, ['one'], { toString: 'one' }])('is not even looked for when kid is %j', async (kid) => {
    expect(await ask(kid)).toBe('refused');
    expect(endpoint.requests).toBe(0);
  });
});

describe('keys are rotated', () => {
  it('and a new one is fetched when a token names it, at most once per cool-down', async () => {
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.publish(one.jwk, two.jwk);
    const flood = Array.from({ length: 200 }, (_, n) => ask(`random-${n}`));
    expect(new Set(await Promise.all(flood))).toEqual(new Set(['refused']));
    expect(await ask('two')).toBe('refused');
    expect(endpoint.requests).toBe(1);

    now += TIMING.cooldownMs;
    const secondFlood = Array.from({ length: 200 }, (_, n) => ask(n === 100 ? 'two' : `random-${n}`));
    expect((await Promise.all(secondFlood)).filter((answer) => answer === ANY_RSA)).toHaveLength(1);
    now += 1;
    for (let n = 0; n < 200; n++) expect(await ask(`more-${n}`)).toBe('refused');
    expect(endpoint.requests).toBe(2);
  });

  it('and a token that is newer than the last fetch is told when to come back, until the set has been fetched again', async () => {
    const recent = () => Date.now() / 1_000;
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.publish(one.jwk, two.jwk);
    now += 1;
    for (const issuedAt of [recent(), recent() - 30, recent() + 30, {}, 'then', null]) {
      expect(await ask('two', 'RS256', issuedAt)).toBe('unavailable for 30 s');
    }
    now += 20_000;
    expect(await ask('two', 'RS256', recent())).toBe('unavailable for 10 s');
    now += 9_998;
    expect(await ask('two', 'RS256', recent())).toBe('unavailable for 1 s');
    expect(endpoint.requests).toBe(1);
    now += 1;
    expect(await ask('two', 'RS256', recent())).toBe(ANY_RSA);
    expect(await ask('random', 'RS256', recent())).toBe('refused');
    now += 1;
    expect(await ask('random', 'RS256', recent())).toBe('unavailable for 30 s');
    expect(endpoint.requests).toBe(2);
  });

  it('and a token is refused at once for a key that is published and cannot be used, and for none', async () => {
    endpoint.publish(one.jwk, two.jwk, { ...ec.jwk, use: 'enc' });
    expect(await ask('one')).toBe(ANY_RSA);
    now += 1;
    for (const kid of ['ec', undefined, '']) expect(await ask(kid, 'ES256', Date.now() / 1_000)).toBe('refused');
    expect(endpoint.requests).toBe(1);
  });

  it('and are fetched again in the background when they are old', async () => {
    endpoint.publish(one.jwk, two.jwk);
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.publish(two.jwk);
    now += TIMING.refreshMs;
    expect(await ask('one')).toBe(ANY_RSA);
    expect(endpoint.requests).toBe(1);
    now += 1;
    expect(await ask('one')).toBe(ANY_RSA);
    await fetched();
    expect(endpoint.requests).toBe(2);
    expect(await ask('one')).toBe('refused');
    expect(await ask('two')).toBe(ANY_RSA);
  });

  it('and a withdrawn one is refused after the max age, not before', async () => {
    endpoint.publish(one.jwk, two.jwk);
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.publish(two.jwk);
    now += TIMING.maxAgeMs;
    expect(await ask('one')).toBe(ANY_RSA);
    await fetched();
    endpoint.publish(one.jwk);
    now += TIMING.maxAgeMs + 1;
    expect(await ask('two')).toBe('refused');
    expect(await ask('one')).toBe(ANY_RSA);
  });

  it.each<[string, unknown[]]>([
    ['none is left', []],
    ['only a secret is left', [{ kty: 'oct', kid: 'one', k: 'c2VjcmV0'.repeat(8) }]],
  ])('and all are refused when %s', async (_, left) => {
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.publish(...left);
    now += TIMING.maxAgeMs + 1;
    expect(await ask('one')).toBe('refused');
  });

  it('and a token of a key under its old kid is held to the new key', async () => {
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.publish({ ...ec.jwk, kid: 'one' });
    now += TIMING.maxAgeMs + 1;
    expect(await ask('one', 'ES256')).toBe('ES256');
  });
});

describe('an endpoint that lies', () => {
  it.each<[string, () => Parameters<JwksEndpoint['answers']>[0]]>([
    ['500', () => text(500, 'application/json', JSON.stringify({ keys: [one.jwk] }))],
    ['404', () => text(404, 'text/plain', 'Not found')],
    ['204', () => (_, response) => response.writeHead(204).end()],
    ['HTML', () => text(200, 'text/html', '<!doctype html><title>Sign in</title>')],
    ['invalid JSON', () => text(200, 'application/json', '{"keys":[')],
    ['nothing', () => text(200, 'application/json', '')],
    ['null', () => json(null)],
    ['a list', () => json([one.jwk])],
    ['keys that are text', () => json({ keys: 'x' })],
    ['keys that are an object', () => json({ keys: { 0: one.jwk } })],
    ['no keys', () => json({})],
    ['5 MB', () => json({ keys: [one.jwk], padding: 'x'.repeat(5_000_000) })],
    [
      '5 MB, compressed to little',
      () => (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(JSON.stringify({ keys: [one.jwk], padding: 'x'.repeat(5_000_000) }))),
    ],
    ['JSON that is 100,000 deep', () => text(200, 'application/json', '['.repeat(100_000))],
    ['half of what it promises', () => half],
  ])('with %s is as good as down', async (_, answer) => {
    endpoint.answers(answer());
    expect(await ask('one')).toBe('unavailable');
    expect(keys.failures).toBe(1);
    endpoint.publish(one.jwk);
    now += TIMING.retryMs;
    expect(await ask('one')).toBe('unavailable');
    await fetched();
    expect(await ask('one')).toBe(ANY_RSA);
    expect(keys.failures).toBe(1);
  });

  it.each([301, 302, 303, 307, 308])('with a redirect (%i) is not followed', async (status) => {
    const elsewhere = await JwksEndpoint.open(one.jwk);
    endpoint.answers(text(status, 'text/plain', '', { location: elsewhere.url }));
    expect(await ask('one')).toBe('unavailable');
    expect(elsewhere.requests).toBe(0);
    await elsewhere.down();
  });

  it('may take its time to the last byte, as long as it keeps the time-out', async () => {
    const body = JSON.stringify({ keys: [one.jwk] });
    endpoint.answers((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(body.slice(0, 50));
      setImmediate(() => response.end(body.slice(50)));
    });
    expect(await ask('one')).toBe(ANY_RSA);
  });
});

describe.each([
  ['stalls', silence],
  ['drips', drip],
])('an endpoint that %s', (_, answer) => {
  it('is given up after its timeout, with one request for all waiting calls', async () => {
    endpoint.answers(answer);
    const started = performance.now();
    const waiting = Array.from({ length: 50 }, () => ask('one'));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['unavailable']));
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(TIMING.timeoutMs - 50);
    expect(took).toBeLessThan(TIMING.timeoutMs + 5_000);
    expect(endpoint.requests).toBe(1);
    // Until the next retry is due, no call waits.
    expect(await ask('one')).toBe('unavailable');
    expect(endpoint.requests).toBe(1);
  });

  it('delays no token with a known key, and others only until the failure is known', async () => {
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.answers(answer);
    now += TIMING.refreshMs + 1;
    const asked = endpoint.nextRequest();
    expect(await ask('one')).toBe(ANY_RSA);
    await asked;
    let over = false;
    const unknown = ask('two').finally(() => (over = true));
    expect(await ask('one')).toBe(ANY_RSA);
    expect(over).toBe(false);
    expect(await unknown).toBe('unavailable');

    now += TIMING.maxAgeMs;
    const askedAgain = endpoint.nextRequest();
    expect(await ask('two')).toBe('unavailable');
    expect(await ask('one')).toBe(ANY_RSA);
    await askedAgain;
    expect(fetched()).toBeDefined();
    await fetched();
  });
});

describe('an endpoint that is down', () => {
  it('at the start is answered for at once, and found again without a restart', async () => {
    await endpoint.down();
    expect(await ask('one')).toBe('unavailable');
    await endpoint.up();
    expect(await ask('one')).toBe('unavailable');
    expect(endpoint.requests).toBe(0);
    now += TIMING.retryMs;
    expect(await ask('one')).toBe('unavailable');
    await fetched();
    expect(await ask('one')).toBe(ANY_RSA);
    expect(endpoint.requests).toBe(1);
  });

  it('later leaves known keys working, and cannot be asked for others', async () => {
    expect(await ask('one')).toBe(ANY_RSA);
    await endpoint.down();
    for (let day = 0; day < 3; day++) {
      now += 24 * 60 * 60_000;
      expect(await ask('one')).toBe(ANY_RSA);
      await fetched();
      expect(await ask('two')).toBe('unavailable');
    }
    endpoint.publish(two.jwk);
    await endpoint.up();
    now += TIMING.retryMs;
    expect(await ask('two')).toBe('unavailable');
    await fetched();
    expect(await ask('two')).toBe(ANY_RSA);
    expect(await ask('one')).toBe('refused');
  });

  it('is logged when it fails and when it recovers, not in between', async () => {
    await endpoint.down();
    logged.length = 0;
    for (let n = 0; n < 3; n++, now += TIMING.retryMs) {
      expect(await ask('one')).toBe('unavailable');
      await fetched();
    }
    expect(keys.failures).toBe(3);
    expect(logged).toEqual([expect.stringMatching(/^the key set cannot be fetched: .*ECONNREFUSED/)]);
    await endpoint.up();
    expect(await ask('one')).toBe('unavailable');
    await fetched();
    for (let n = 0; n < 3; n++, now += TIMING.retryMs) expect(await ask('one')).toBe(ANY_RSA);
    expect(logged.slice(1)).toEqual(['the key set can be fetched again']);
  });

  it('is something that hangs up without a word, too', async () => {
    endpoint.answers((request) => request.socket.destroy());
    expect(await ask('one')).toBe('unavailable');
  });

  it('is one that speaks no HTTP, too', async () => {
    await endpoint.down();
    const server = createServer().on('connection', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((resolve) => server.listen(Number(new URL(endpoint.url).port), '127.0.0.1', resolve));
    expect(await ask('one')).toBe('unavailable');
    await new Promise((resolve) => server.close(resolve));
  });
});

function withoutKid({ jwk }: SigningKeyPair): object {
  return { ...jwk, kid: undefined };
}

function weakRsa(): object {
  return generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
}

const half: Parameters<JwksEndpoint['answers']>[0] = (_, response) => {
  const body = JSON.stringify({ keys: [one.jwk] });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
};
