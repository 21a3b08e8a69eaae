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

const TIMING = { maxAgeMs: 600_000, cooldownMs: 30_000, retryMs: 1_000, timeoutMs: 300 };

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

/** What becomes of a token with this header: the algorithms of the key that it names, or why there is none. */
async function ask(kid: unknown, alg = 'RS256'): Promise<string> {
  try {
    return (await keys.get({ alg, kid } as JwtHeader)).algorithms.join();
  } catch (error) {
    if (error instanceof TokenRefusedError) return 'refused';
    if (error instanceof ServiceError && error.code === 'service.unavailable') return 'unavailable';
    throw error;
  }
}

const ANY_RSA = 'RS256,PS256';

describe('a key of a key set', () => {
  it('is found by its kid, and good for what its kind can do', async () => {
    endpoint.publish(one.jwk, ec.jwk);
    expect(await ask('one')).toBe(ANY_RSA);
    expect(await ask('one', 'PS256')).toBe(ANY_RSA);
    expect(await ask('ec', 'ES256')).toBe('ES256');
    expect((await keys.get({ alg: 'ES256', kid: 'ec' })).key.export({ format: 'jwk' })).toMatchObject({ x: ec.jwk.x });
    expect(endpoint.requests).toBe(1);
  });

  it.each(['RS256', 'PS256'])('that says alg %s is good for that alone', async (alg) => {
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
    expect((await keys.get({ alg: 'RS256', kid: 'one' })).key.export({ format: 'jwk' })).toMatchObject({
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
    ['for another algorithm', () => ({ ...one.jwk, kid: 'bad', alg: 'RS512' })],
    ['for an algorithm of another kind', () => ({ ...one.jwk, kid: 'bad', alg: 'ES256' })],
    ['for HS256', () => ({ ...one.jwk, kid: 'bad', alg: 'HS256' })],
    ['RSA of 1024 bits', () => ({ ...weakRsa(), kid: 'bad' })],
    ['on P-384', async () => ({ ...(await signingKey('bad', 'ES384')).jwk })],
    ['Ed25519', async () => ({ ...(await signingKey('bad', 'EdDSA')).jwk })],
  ])('that is %s is passed over, and the others count', async (_, bad) => {
    endpoint.publish(await bad(), two.jwk);
    for (const alg of ['RS256', 'PS256', 'ES256']) expect(await ask('bad', alg)).toBe('refused');
    expect(await ask('two')).toBe(ANY_RSA);
    expect(await ask(undefined)).toBe(ANY_RSA);
  });

  it.each(['HS256', 'none', 'RS512', 'ES384', 'EdDSA', ''])('is not even looked for when alg is "%s"', async (alg) => {
    expect(await ask('one', alg)).toBe('refused');
    expect(endpoint.requests).toBe(0);
  });

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
    for (let n = 0; n < 200; n++) expect(await ask(`more-${n}`)).toBe('refused');
    expect(endpoint.requests).toBe(2);
  });

  it('and a withdrawn one is refused after the max age, not before', async () => {
    endpoint.publish(one.jwk, two.jwk);
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.publish(two.jwk);
    now += TIMING.maxAgeMs;
    expect(await ask('one')).toBe(ANY_RSA);
    expect(endpoint.requests).toBe(1);
    now += 1;
    expect(await ask('one')).toBe('refused');
    expect(await ask('two')).toBe(ANY_RSA);
    expect(endpoint.requests).toBe(2);
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
    endpoint.publish(one.jwk);
    now += TIMING.retryMs;
    expect(await ask('one')).toBe(ANY_RSA);
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
  it('is given up when its time is over, asked once for all who wait', async () => {
    endpoint.answers(answer);
    const started = performance.now();
    const waiting = Array.from({ length: 50 }, () => ask('one'));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['unavailable']));
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(TIMING.timeoutMs - 50);
    expect(took).toBeLessThan(TIMING.timeoutMs + 5_000);
    expect(endpoint.requests).toBe(1);
    // And nobody waits again until it is worth another try.
    expect(await ask('one')).toBe('unavailable');
    expect(endpoint.requests).toBe(1);
  });

  it('keeps nobody waiting who brings a known key, but the first', async () => {
    expect(await ask('one')).toBe(ANY_RSA);
    endpoint.answers(answer);
    now += TIMING.maxAgeMs + 1;
    expect(await ask('one')).toBe(ANY_RSA);
    now += TIMING.retryMs;
    const asked = endpoint.nextRequest();
    let over = false;
    const unknown = ask('two').finally(() => (over = true));
    await asked;
    expect(await ask('one')).toBe(ANY_RSA);
    expect(over).toBe(false);
    expect(await unknown).toBe('unavailable');
  });
});

describe('an endpoint that is down', () => {
  it('at the start is answered for at once, and found again without a restart', async () => {
    await endpoint.down();
    expect(await ask('one')).toBe('unavailable');
    await endpoint.up();
    expect(await ask('one')).toBe('unavailable');
    now += TIMING.retryMs;
    expect(await ask('one')).toBe(ANY_RSA);
    expect(endpoint.requests).toBe(1);
  });

  it('later leaves known keys working, and cannot be asked for others', async () => {
    expect(await ask('one')).toBe(ANY_RSA);
    await endpoint.down();
    for (let day = 0; day < 3; day++) {
      now += 24 * 60 * 60_000;
      expect(await ask('one')).toBe(ANY_RSA);
      expect(await ask('two')).toBe('unavailable');
    }
    endpoint.publish(two.jwk);
    await endpoint.up();
    now += TIMING.retryMs;
    expect(await ask('two')).toBe(ANY_RSA);
    expect(await ask('one')).toBe('refused');
  });

  it('is told of in the log when it goes and when it comes back, not in between', async () => {
    await endpoint.down();
    logged.length = 0;
    for (let n = 0; n < 3; n++, now += TIMING.retryMs) expect(await ask('one')).toBe('unavailable');
    expect(logged).toEqual([expect.stringMatching(/^the key set cannot be fetched: .*ECONNREFUSED/)]);
    await endpoint.up();
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
