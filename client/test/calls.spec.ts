import { UserAdministrationClient } from '../src/user-administration-client.ts';
import { failureOf } from './support/failure-of.ts';
import { breakOff, hang, problem, reply, reset, ScriptedServer, type Act } from './support/scripted-server.ts';

const DONE = { status: 200, message: 'Done.' };
const done = reply(200, DONE);

let server: ScriptedServer;
afterEach(() => server.close());

async function clientOf(...script: Act[]): Promise<UserAdministrationClient> {
  server = await ScriptedServer.start(...script);
  return new UserAdministrationClient({ baseUrl: server.url, token: 'token' });
}

function assign(client: UserAdministrationClient, options = {}): Promise<object> {
  return client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'] }, options);
}

const keys = () => server.requests.map(({ headers }) => headers['idempotency-key']);

function expectSameCallTwice(): void {
  expect(server.requests).toHaveLength(2);
  expect(new Set(keys()).size).toBe(1);
  expect(new Set(server.requests.map(({ headers }) => headers['x-request-id'])).size).toBe(1);
}

describe('a call', () => {
  it('is sent in the form that the service expects', async () => {
    const client = await clientOf(done);
    await expect(assign(client, { language: 'de', requestId: 'mine-1' })).resolves.toEqual(DONE);
    expect(server.requests).toEqual([
      expect.objectContaining({
        method: 'POST',
        path: '/api/users/workspace-assign',
        body: '{"userIds":["ben"],"workspaces":["atlas"]}',
      }),
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer token',
      accept: 'application/json, application/problem+json',
      'accept-language': 'de',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^"[\w-]{36}"$/) as string,
      'x-request-id': 'mine-1',
    });
  });

  it.each<[string, Act]>([
    ['a connection that breaks before the answer', reset],
    ['a connection that breaks in the headers', breakOff(20)],
    ['a connection that breaks in the body', breakOff(90)],
    ['429', problem(429, 'request.too_frequent', { 'retry-after': '0' })],
    ['429 of a proxy', reply(429, '<h1>Too Many Requests</h1>', { 'retry-after': '0' })],
    ['503', problem(503, 'service.unavailable', { 'retry-after': '0' })],
    ['503 of a proxy', reply(503, '<h1>Service Unavailable</h1>')],
    ['502 of a proxy', reply(502, '<h1>Bad Gateway</h1>')],
    ['its own attempt, which is still under way', problem(409, 'idempotency.in_progress')],
  ])('is sent again after %s, under the same key', async (_, fault) => {
    const client = await clientOf(fault, done);
    await expect(assign(client)).resolves.toEqual(DONE);
    expectSameCallTwice();
  });

  it('is sent again after an answer that does not come, under the same key', async () => {
    const client = await clientOf(hang, done);
    await expect(assign(client, { timeoutMs: 2_000 })).resolves.toEqual(DONE);
    expectSameCallTwice();
  });

  it('is retried up to the limit, and then fails with the last failure', async () => {
    const client = await clientOf(problem(503, 'service.unavailable', { 'x-request-id': 'theirs' }));
    const error = await failureOf(assign(client, { retries: 2 }));
    expect(server.requests).toHaveLength(3);
    expect(error).toMatchObject({
      code: 'service.unavailable',
      status: 503,
      detail: 'The sentence of service.unavailable.',
      requestId: 'theirs',
      temporary: true,
      outcomeUnknown: false,
    });
  });

  it('is not retried when it is refused', async () => {
    const errors = [{ pointer: '/userIds/0', id: 'ben' }];
    const body = { title: 'Bad Request', status: 400, detail: 'Wähle.', code: 'user.invalid', errors };
    const client = await clientOf(reply(400, body, { 'content-type': 'application/problem+json' }));
    const error = await failureOf(assign(client));
    expect(error).toMatchObject({ code: 'user.invalid', status: 400, detail: 'Wähle.', errors, temporary: false });
    expect(error.message).toBe(`Wähle. (user.invalid, request ${server.requests[0]?.headers['x-request-id']})`);
    expect(server.requests).toHaveLength(1);
  });

  it('waits as long as Retry-After demands', async () => {
    const client = await clientOf(problem(429, 'request.too_frequent', { 'retry-after': '1' }), done);
    const began = performance.now();
    await assign(client);
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
  });

  it.each(['61', new Date(Date.now() + 100_000).toUTCString()])(
    'does not wait for longer than a minute (%s)',
    async (asked) => {
      const client = await clientOf(problem(503, 'service.unavailable', { 'retry-after': asked }), done);
      const error = await failureOf(assign(client, { deadlineMs: 200_000 }));
      expect(error.retryAfterMs).toBeGreaterThan(60_000);
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([
    ['Tue, 01 Jan 2030 00:00:02 GMT', 2_000],
    ['Tue, 01 Jan 2030 00:00:00 GMT', 0],
    ['Mon, 31 Dec 2029 23:00:00 GMT', 0],
  ])('measures a date in Retry-After by the clock of the service: %s', async (asked, retryAfterMs) => {
    const headers = { date: 'Tue, 01 Jan 2030 00:00:00 GMT', 'retry-after': asked };
    const client = await clientOf(problem(503, 'service.unavailable', headers));
    await expect(failureOf(assign(client, { retries: 0 }))).resolves.toMatchObject({ retryAfterMs });
  });

  it('asks for the result of its own attempt as often as need be, which is no retry', async () => {
    const client = await clientOf(reset, problem(409, 'idempotency.in_progress'), reset, done);
    await expect(assign(client, { retries: 2 })).resolves.toEqual(DONE);
    expect(server.requests).toHaveLength(4);
  });

  it('does not wait if the pause would end after the deadline', async () => {
    const client = await clientOf(problem(503, 'service.unavailable', { 'retry-after': '5' }), done);
    await expect(failureOf(assign(client, { deadlineMs: 2_000 }))).resolves.toMatchObject({
      code: 'service.unavailable',
    });
  });
});

describe('a refusal after an attempt whose outcome is unknown', () => {
  it.each<[number, string, boolean]>([
    // The service judges the caller before it looks for the answer to an earlier attempt, which may have demoted the caller.
    [401, 'auth.token_invalid', true],
    [401, 'status.not_permitted', true],
    [403, 'auth.administrator_required', true],
    // The stored answer cannot be read, or belongs to another request.
    [422, 'idempotency.key_reused', true],
    [400, 'user.invalid', false],
    [409, 'directory.last_administrator', false],
  ])('of %i %s has outcomeUnknown %s', async (status, code, outcomeUnknown) => {
    const client = await clientOf(reset, problem(status, code));
    await expect(failureOf(assign(client))).resolves.toMatchObject({ code, status, outcomeUnknown });
    expect(server.requests).toHaveLength(2);
  });
});

describe('an outcome that the service does not know', () => {
  const unknown = problem(503, 'service.outcome_unknown');

  it('is retried with a key', async () => {
    const client = await clientOf(unknown, done);
    await expect(assign(client)).resolves.toEqual(DONE);
  });

  it.each([
    ['PATCH', (client: UserAdministrationClient) => client.users.update('ben', {}, { ifMatch: '"1"' })],
    ['DELETE', (client: UserAdministrationClient) => client.users.delete('ben')],
  ])('is not repeated without one: %s', async (_, call) => {
    const client = await clientOf(unknown, reply(200, { id: 'ben' }));
    const error = await failureOf(call(client));
    expect(error).toMatchObject({ code: 'service.outcome_unknown', outcomeUnknown: true });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a PATCH whose connection breaks', () => {
  it.each([undefined, '*', ' * '])(
    'is not retried with If-Match: %s, which permits a record that another caller has changed',
    async (ifMatch) => {
      const client = await clientOf(reset, reply(200, { id: 'ben' }));
      const error = await failureOf(client.users.update('ben', { displayName: 'Ben' }, { ifMatch }));
      expect(error).toMatchObject({
        code: 'client.connection_failed',
        outcomeUnknown: true,
        idempotencyKey: undefined,
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('is retried with If-Match, and the outcome is unknown if the record has changed', async () => {
    const client = await clientOf(reset, problem(412, 'record.changed'));
    const error = await failureOf(client.users.update('ben', { displayName: 'Ben' }, { ifMatch: '"1"' }));
    expect(error).toMatchObject({ code: 'record.changed', status: 412, outcomeUnknown: true });
    expect(server.requests.map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"1"']);
  });

  it('is retried without If-Match if the change was certainly not made', async () => {
    const client = await clientOf(
      problem(503, 'service.unavailable', { 'retry-after': '0' }),
      reply(200, { id: 'ben' }, { etag: '"2"' }),
    );
    await expect(client.users.update('ben', {})).resolves.toEqual({ id: 'ben', etag: '"2"' });
  });
});

describe('a DELETE whose connection breaks', () => {
  it('is retried, and succeeds if the record no longer exists', async () => {
    const client = await clientOf(reset, problem(404, 'user.unknown'));
    await expect(client.users.delete('ben')).resolves.toBeUndefined();
  });

  it('fails if the record did not exist at the first attempt', async () => {
    const client = await clientOf(problem(404, 'user.unknown'));
    await expect(failureOf(client.users.delete('ben'))).resolves.toMatchObject({ code: 'user.unknown', status: 404 });
  });

  it('fails if the path is wrong', async () => {
    const client = await clientOf(reset, problem(404, 'route.unknown'));
    await expect(failureOf(client.users.delete('ben'))).resolves.toMatchObject({ code: 'route.unknown' });
  });
});

it('renames a user under the id in the path', async () => {
  const client = await clientOf(reply(200, { id: 'b/2' }, { etag: '"1"' }));
  expect(await client.users.rename('b|1', { id: 'b/2' }, { ifMatch: '"0"' })).toEqual({ id: 'b/2', etag: '"1"' });
  expect(server.requests).toMatchObject([{ path: '/api/users/b%7C1/rename', headers: { 'if-match': '"0"' } }]);
});

it('erases with a deletion only if asked', async () => {
  const done = reply(204, undefined);
  const client = await clientOf(done, done);
  await client.users.delete('ben', { erase: true });
  await client.users.delete('ben', { erase: 'former' });
  await client.users.delete('ben', { erase: false });
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/api/users/ben?erase=true',
    '/api/users/ben?erase=former',
    '/api/users/ben',
  ]);
});

describe('a dry run', () => {
  it('has no key, and is always retried', async () => {
    const client = await clientOf(reset, reply(200, { ...DONE, result: { users: [], unchanged: 1, refused: [] } }));
    const { result } = await client.users.assignWorkspaces(
      { userIds: ['ben'], workspaces: ['atlas'] },
      { dryRun: true, lenient: true, representation: true },
    );
    expect(result.unchanged).toBe(1);
    expect(keys()).toEqual([undefined, undefined]);
    expect(server.requests[1]?.path).toBe('/api/users/workspace-assign?dryRun=true');
    expect(server.requests[1]?.headers.prefer).toBe('return=representation, handling=lenient');
  });
});
