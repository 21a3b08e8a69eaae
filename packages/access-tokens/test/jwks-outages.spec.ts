import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { drip, json, JwksEndpoint, silence, text } from './jwks-endpoint';
import { ANY_RSA, JwksTrial, TIMING } from './jwks-trial';

let trial: JwksTrial;

beforeAll(async () => {
  trial = await JwksTrial.open();
});
beforeEach(() => trial.beforeEach());
afterEach(() => trial.afterEach());

describe('the endpoint of the key set', () => {
  it.each<[string, () => Parameters<JwksEndpoint['answers']>[0]]>([
    ['500', () => text(500, 'application/json', JSON.stringify({ keys: [trial.one.jwk] }))],
    ['404', () => text(404, 'text/plain', 'Not found')],
    ['204', () => (_, response) => response.writeHead(204).end()],
    ['HTML', () => text(200, 'text/html', '<!doctype html><title>Sign in</title>')],
    ['invalid JSON', () => text(200, 'application/json', '{"keys":[')],
    ['nothing', () => text(200, 'application/json', '')],
    ['null', () => json(null)],
    ['a list', () => json([trial.one.jwk])],
    ['keys that are text', () => json({ keys: 'x' })],
    ['keys that are an object', () => json({ keys: { 0: trial.one.jwk } })],
    ['no keys', () => json({})],
    ['a list without a key', () => json({ keys: [1, null, { kid: 'one' }] })],
    ['a list of one thing that is no key', () => json({ keys: [{ kid: 'one', kty: 7 }] })],
    ['5 MB', () => json({ keys: [trial.one.jwk], padding: 'x'.repeat(5_000_000) })],
    [
      '5 MB, compressed to little',
      () => (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(JSON.stringify({ keys: [trial.one.jwk], padding: 'x'.repeat(5_000_000) }))),
    ],
    ['JSON that is 100,000 deep', () => text(200, 'application/json', '['.repeat(100_000))],
    ['half of what it promises', () => half],
  ])('counts as down when it answers %s, until it answers a key set', async (_, answer) => {
    trial.endpoint.answers(answer());
    expect(await trial.ask('one')).toBe('unavailable');
    expect(trial.keys.failures).toBe(1);
    trial.endpoint.publish(trial.one.jwk);
    trial.now += TIMING.retryMs;
    expect(await trial.ask('one')).toBe('unavailable');
    await trial.fetched();
    expect(await trial.ask('one')).toBe(ANY_RSA);
    expect(trial.keys.failures).toBe(1);
  });

  it.each([301, 302, 303, 307, 308])(
    'counts as down when it redirects (%i), and the redirect is not followed',
    async (status) => {
      const elsewhere = await JwksEndpoint.open(trial.one.jwk);
      trial.endpoint.answers(text(status, 'text/plain', '', { location: elsewhere.url }));
      expect(await trial.ask('one')).toBe('unavailable');
      expect(elsewhere.requests).toBe(0);
      await elsewhere.down();
    },
  );

  it('may send its answer slowly within the time-out', async () => {
    const body = JSON.stringify({ keys: [trial.one.jwk] });
    trial.endpoint.answers((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(body.slice(0, 50));
      setImmediate(() => response.end(body.slice(50)));
    });
    expect(await trial.ask('one')).toBe(ANY_RSA);
  });
});

describe.each([
  ['never answers', silence],
  ['sends its answer without an end', drip],
])('an endpoint of the key set that %s', (_, answer) => {
  const GIVE_UP_MS = 1_000;

  it('is given up after the time-out, with one request for all waiting tokens', async () => {
    trial.timing.timeoutMs = GIVE_UP_MS;
    trial.endpoint.answers(answer);
    const started = performance.now();
    const waiting = Array.from({ length: 50 }, () => trial.ask('one'));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['unavailable']));
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(GIVE_UP_MS - 50);
    expect(took).toBeLessThan(GIVE_UP_MS + 5_000);
    expect(trial.endpoint.requests).toBe(1);
    // Until the next retry is due, no call waits.
    expect(await trial.ask('one')).toBe('unavailable');
    expect(trial.endpoint.requests).toBe(1);
  });

  it('delays no token of a known key, and other tokens only until it has failed', async () => {
    expect(await trial.ask('one')).toBe(ANY_RSA);
    trial.endpoint.answers(answer);
    trial.timing.timeoutMs = GIVE_UP_MS;
    trial.now += TIMING.refreshMs + 1;
    const asked = trial.endpoint.nextRequest();
    expect(await trial.ask('one')).toBe(ANY_RSA);
    await asked;
    let over = false;
    const unknown = trial.ask('two').finally(() => (over = true));
    expect(await trial.ask('one')).toBe(ANY_RSA);
    expect(over).toBe(false);
    expect(await unknown).toBe('unavailable');

    trial.now += TIMING.maxAgeMs;
    const askedAgain = trial.endpoint.nextRequest();
    expect(await trial.ask('two')).toBe('unavailable');
    expect(await trial.ask('one')).toBe(ANY_RSA);
    await askedAgain;
    expect(trial.fetched()).toBeDefined();
    await trial.fetched();
  });
});

describe('an endpoint of the key set that is down', () => {
  it('at the start makes every token unavailable at once, and is found later without a restart', async () => {
    await trial.endpoint.down();
    expect(await trial.ask('one')).toBe('unavailable');
    await trial.endpoint.up();
    expect(await trial.ask('one')).toBe('unavailable');
    expect(trial.endpoint.requests).toBe(0);
    trial.now += TIMING.retryMs;
    expect(await trial.ask('one')).toBe('unavailable');
    await trial.fetched();
    expect(await trial.ask('one')).toBe(ANY_RSA);
    expect(trial.endpoint.requests).toBe(1);
  });

  it('later leaves known keys valid, and makes tokens of other keys unavailable', async () => {
    expect(await trial.ask('one')).toBe(ANY_RSA);
    await trial.endpoint.down();
    for (let day = 0; day < 3; day++) {
      trial.now += 24 * 60 * 60_000;
      expect(await trial.ask('one')).toBe(ANY_RSA);
      await trial.fetched();
      expect(await trial.ask('two')).toBe('unavailable');
    }
    trial.endpoint.publish(trial.two.jwk);
    await trial.endpoint.up();
    trial.now += TIMING.retryMs;
    expect(await trial.ask('two')).toBe('unavailable');
    await trial.fetched();
    expect(await trial.ask('two')).toBe(ANY_RSA);
    expect(await trial.ask('one')).toBe('refused');
  });

  it('may also be one that answers with a list without a key', async () => {
    expect(await trial.ask('one')).toBe(ANY_RSA);
    trial.endpoint.answers(json({ keys: [1, null, { kid: 'one' }] }));
    trial.now += TIMING.maxAgeMs + 1;
    expect(await trial.ask('one')).toBe(ANY_RSA);
  });

  it('is logged once when it fails and once when it recovers', async () => {
    await trial.endpoint.down();
    trial.logged.length = 0;
    for (let n = 0; n < 3; n++, trial.now += TIMING.retryMs) {
      expect(await trial.ask('one')).toBe('unavailable');
      await trial.fetched();
    }
    expect(trial.keys.failures).toBe(3);
    expect(trial.logged).toEqual([expect.stringMatching(/^the key set cannot be fetched: .*ECONNREFUSED/)]);
    await trial.endpoint.up();
    expect(await trial.ask('one')).toBe('unavailable');
    await trial.fetched();
    for (let n = 0; n < 3; n++, trial.now += TIMING.retryMs) expect(await trial.ask('one')).toBe(ANY_RSA);
    expect(trial.logged.slice(1)).toEqual(['the key set can be fetched again']);
  });

  it('may also be one that closes each connection without an answer', async () => {
    trial.endpoint.answers((request) => request.socket.destroy());
    expect(await trial.ask('one')).toBe('unavailable');
  });

  it('may also be one that does not speak HTTP', async () => {
    await trial.endpoint.down();
    const server = createServer().on('connection', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((resolve) => server.listen(Number(new URL(trial.endpoint.url).port), '127.0.0.1', resolve));
    expect(await trial.ask('one')).toBe('unavailable');
    await new Promise((resolve) => server.close(resolve));
  });
});

const half: Parameters<JwksEndpoint['answers']>[0] = (_, response) => {
  const body = JSON.stringify({ keys: [trial.one.jwk] });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
};
