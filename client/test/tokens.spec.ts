import { clientCredentials } from '../src/tokens/client-credentials.ts';
import { UserAdministrationClient } from '../src/user-administration-client.ts';
import { UserAdministrationError } from '../src/user-administration-error.ts';
import { failureOf } from './support/failure-of.ts';
import { hang, problem, reply, reset, ScriptedServer, type Act } from './support/scripted-server.ts';

const open: ScriptedServer[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

async function serverOf(...script: Act[]): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(...script);
  open.push(server);
  return server;
}

const granted = (token: string, expiresIn: unknown = 3600) =>
  reply(200, { access_token: token, token_type: 'Bearer', expires_in: expiresIn });
const grantOf = (server: ScriptedServer) => ({
  tokenUrl: `${server.url}/token`,
  clientId: 'billing',
  clientSecret: 'p:ss wörd',
  scope: 'users:administer',
});

describe('a token function', () => {
  const done = reply(200, { kind: 'user', id: 'ada', administrator: true });

  it.each<[string, () => unknown, string]>([
    [
      'that throws',
      () => {
        throw new Error('vault sealed');
      },
      'The token function failed: vault sealed',
    ],
    ['that rejects', () => Promise.reject(new Error('vault sealed')), 'The token function failed: vault sealed'],
    ['that returns nothing', () => undefined, 'The token function returned no token.'],
    ['that returns text that a header cannot contain', () => 'a\nb: c', 'The token function returned no token.'],
  ])('%s fails the call, and nothing is sent', async (_, token, detail) => {
    const server = await serverOf(done);
    const client = new UserAdministrationClient({ baseUrl: server.url, token: token as () => string });
    await expect(failureOf(client.me())).resolves.toMatchObject({
      code: 'client.token_failed',
      detail,
      outcomeUnknown: false,
    });
    expect(server.requests).toHaveLength(0);
  });

  it('that never answers fails the call at its deadline', async () => {
    const server = await serverOf(done);
    const token = () => new Promise<string>(() => undefined);
    const client = new UserAdministrationClient({ baseUrl: server.url, token, deadlineMs: 100 });
    await expect(failureOf(client.me())).resolves.toMatchObject({ code: 'client.deadline_exceeded' });
  });

  it('that asks for a long pause fails the call at once', async () => {
    const server = await serverOf(done);
    const facts = { code: 'client.token_failed', detail: 'Later.', temporary: true, retryAfterMs: 61_000 } as const;
    const token = jest.fn(() => Promise.reject(new UserAdministrationError(facts)));
    const client = new UserAdministrationClient({ baseUrl: server.url, token, deadlineMs: 200_000 });
    await expect(failureOf(client.me())).resolves.toMatchObject(facts);
    expect(token).toHaveBeenCalledTimes(1);
  });

  it('is asked once for another token when the service refuses one', async () => {
    const server = await serverOf(problem(401, 'auth.token_invalid'));
    const token = jest.fn(({ refused }: { refused?: string }) => (refused ? 'second' : 'first'));
    const client = new UserAdministrationClient({ baseUrl: server.url, token });
    await expect(failureOf(client.me())).resolves.toMatchObject({ code: 'auth.token_invalid', status: 401 });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
  });

  it('is not asked for another token when a request without a token is refused', async () => {
    const server = await serverOf(problem(401, 'auth.token_invalid'));
    const token = jest.fn(() => 'first');
    const client = new UserAdministrationClient({ baseUrl: server.url, token });
    await expect(failureOf(client.health.live())).resolves.toMatchObject({ code: 'auth.token_invalid', status: 401 });
    expect([server.requests.length, token.mock.calls.length]).toEqual([1, 0]);
  });

  it('that fails after an attempt without an answer leaves the outcome unknown', async () => {
    const server = await serverOf(reset);
    const tokens = ['first'];
    const client = new UserAdministrationClient({ baseUrl: server.url, token: () => tokens.shift() ?? '' });
    const error = await failureOf(client.webhooks.rotateSecret('w'));
    expect(error).toMatchObject({ code: 'client.token_failed', outcomeUnknown: true });
  });
});

describe('client credentials', () => {
  it('are sent as RFC 6749 specifies', async () => {
    const server = await serverOf(granted('a'));
    await expect(clientCredentials({ ...grantOf(server), parameters: { audience: 'users' } })()).resolves.toBe('a');
    const { method, path, headers, body } = server.requests[0] ?? fail();
    expect([method, path, body]).toEqual([
      'POST',
      '/token',
      'grant_type=client_credentials&scope=users%3Aadminister&audience=users',
    ]);
    expect(Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()).toBe('billing:p%3Ass+w%C3%B6rd');
  });

  it('can be sent in the body', async () => {
    const server = await serverOf(granted('a'));
    await clientCredentials({ ...grantOf(server), authentication: 'body' })();
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.body).toContain('client_id=billing&client_secret=p%3Ass+w%C3%B6rd');
  });

  it('share one request among concurrent callers, and cache the token', async () => {
    const server = await serverOf(granted('a'));
    const token = clientCredentials(grantOf(server));
    const all = await Promise.all(Array.from({ length: 100 }, () => token()));
    expect(new Set([...all, await token()])).toEqual(new Set(['a']));
    expect(server.requests).toHaveLength(1);
  });

  it('renew a token before it expires, and return the old one until the new one has arrived', async () => {
    const server = await serverOf(granted('a', 100), granted('b', 100));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const token = clientCredentials(grantOf(server));
    await token();
    clock.mockReturnValue(79_999);
    await expect(token()).resolves.toBe('a');
    expect(server.requests).toHaveLength(1);
    clock.mockReturnValue(80_000);
    await expect(token()).resolves.toBe('a');
    while (server.requests.length < 2 || (await token()) === 'a') await new Promise(setImmediate);
    await expect(token()).resolves.toBe('b');
    clock.mockRestore();
  });

  it('are asked for once a second while the renewal fails, and count the lifetime from the request', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const fetch = jest.fn(() => Promise.resolve(Response.json({ error: 'invalid_client' }, { status: 400 })));
    fetch.mockImplementationOnce(() => {
      clock.mockReturnValue(5_000);
      return Promise.resolve(Response.json({ access_token: 'a', expires_in: 100 }));
    });
    const tokenUrl = 'https://id.example/token';
    const token = clientCredentials({ tokenUrl, clientId: 'billing', clientSecret: 'secret', fetch });
    await token();
    const requestsAt: [number, number][] = [];
    for (const ms of [79_999, 80_000, 80_999, 81_000]) {
      clock.mockReturnValue(ms);
      await expect(token()).resolves.toBe('a');
      await new Promise(setImmediate);
      requestsAt.push([ms, fetch.mock.calls.length]);
    }
    clock.mockRestore();
    expect(requestsAt).toEqual([
      [79_999, 1],
      [80_000, 2],
      [80_999, 2],
      [81_000, 3],
    ]);
  });

  it('wait for a new token only when the old one has expired', async () => {
    const server = await serverOf(granted('a', '100'), reply(400, { error: 'invalid_client' }), granted('c', 100));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const token = clientCredentials(grantOf(server));
    await token();
    clock.mockReturnValue(90_000);
    await expect(token()).resolves.toBe('a');
    while (server.requests.length < 2) await new Promise(setImmediate);
    clock.mockReturnValue(100_000);
    while ((await token().catch(() => undefined)) === undefined) await new Promise(setImmediate);
    await expect(token()).resolves.toBe('c');
    clock.mockRestore();
  });

  it('fetch another token when the service has refused this one', async () => {
    const server = await serverOf(granted('a'), granted('b'));
    const token = clientCredentials(grantOf(server));
    await token();
    await expect(token({ refused: 'a' })).resolves.toBe('b');
    await expect(token({ refused: 'a' })).resolves.toBe('b');
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, Act, string, number]>([
    [
      'a refusal',
      reply(401, { error: 'invalid_client', error_description: 'Unknown client' }),
      'The token endpoint answered with an error: invalid_client: Unknown client.',
      1,
    ],
    [
      'an HTML page',
      reply(200, '<h1>Sign in</h1>'),
      'The token endpoint answered 200 (text/html) without a token. Check tokenUrl.',
      1,
    ],
    [
      'a failure that passes',
      reply(503, '<h1>Later</h1>'),
      'The token endpoint answered 503 (text/html) without a token. Check tokenUrl.',
      3,
    ],
    [
      'too many requests',
      reply(429, { error: 'slow_down' }),
      'The token endpoint answered with an error: slow_down.',
      3,
    ],
    [
      'a token that a header cannot contain',
      reply(200, { access_token: 'a b' }),
      'The token endpoint answered 200 (application/json) without a token. Check tokenUrl.',
      1,
    ],
  ])('tell of %s, and never of the secret', async (_, act, detail, attempts) => {
    const server = await serverOf(act);
    const error = await failureOf(clientCredentials(grantOf(server))());
    expect(error).toMatchObject({ code: 'client.token_failed', detail });
    expect(server.requests).toHaveLength(attempts);
    expect(JSON.stringify(error)).not.toContain('p:ss');
  });

  it('tell of a hang', async () => {
    const server = await serverOf(hang);
    const error = await failureOf(clientCredentials({ ...grantOf(server), timeoutMs: 500 })());
    const detail = `No complete answer from ${server.url}: no answer within 500 ms.`;
    expect(error).toMatchObject({ code: 'client.token_failed', detail });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    { tokenUrl: 'nowhere' },
    { tokenUrl: 'https://a:b@id.example/token' },
    { clientId: '' },
    { clientSecret: '' },
    { timeoutMs: 0 },
  ])('are refused when they cannot be used: %j', (wrong) => {
    const options = { tokenUrl: 'https://id.example/token', clientId: 'a', clientSecret: 'b', ...wrong };
    expect(() => clientCredentials(options)).toThrow(
      expect.objectContaining({ code: 'client.option_invalid' }) as Error,
    );
  });
});

function fail(): never {
  throw new Error('nothing was sent');
}
