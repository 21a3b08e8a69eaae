import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import type { CallOptions, ClientOptions, Hooks } from '../src/client-options.ts';
import { clientCredentials } from '../src/tokens/client-credentials.ts';
import { UserAdministrationClient } from '../src/user-administration-client.ts';
import { WebhookReceiver, type WebhookReceiverOptions } from '../src/webhooks/webhook-receiver.ts';
import { failureOf } from './support/failure-of.ts';

const calls: { url: string; headers: Record<string, string> }[] = [];

function clientWith(options: Record<string, unknown>): UserAdministrationClient {
  const fetch = (url: string, init: { headers: Record<string, string> }) => {
    calls.push({ url, headers: init.headers });
    return Promise.resolve(Response.json({ status: 200, message: 'Done.' }));
  };
  return new UserAdministrationClient({
    baseUrl: 'http://users.example',
    token: 't',
    fetch,
    ...options,
  } as ClientOptions);
}

const assign = (client: UserAdministrationClient, options = {}) =>
  client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'] }, options);

beforeEach(() => calls.splice(0));

describe('the options of a client', () => {
  it.each([
    [{ baseUrl: undefined }, 'baseUrl must be an http or https URL, but is "undefined"'],
    [{ baseUrl: 'users.example:3000' }, 'baseUrl must be an http or https URL, but is "users.example:3000"'],
    [{ baseUrl: 'ftp://a:b@users.example' }, 'baseUrl must be an http or https URL, but is "...@users.example"'],
    [{ baseUrl: 'http://a:b/@c@users.example' }, 'baseUrl must be an http or https URL, but is "...@users.example"'],
    [{ baseUrl: 'http://a:b@users.example' }, 'baseUrl must not contain a user name or a password'],
    [{ baseUrl: 'http://:b@users.example' }, 'baseUrl must not contain a user name or a password'],
    [{ baseUrl: 'http://users.example/?a' }, 'baseUrl must not contain a query or a fragment'],
    [{ baseUrl: 'http://users.example/#a' }, 'baseUrl must not contain a query or a fragment'],
    [{ token: undefined }, 'token must be an access token, or a function that returns one'],
    [{ token: 'Bearer abc' }, 'token must be an access token, or a function that returns one'],
    [{ language: 'de\n' }, 'language must be text of visible ASCII characters'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a whole number from 1 to 2147483647'],
    [{ deadlineMs: Infinity }, 'deadlineMs must be a whole number from 1 to 2147483647'],
    [{ retries: -1 }, 'retries must be a whole number from 0 to 1000'],
    [{ fetch: 'fetch' }, 'fetch must be a function'],
    [
      { timeout: 5 },
      'There is no option "timeout" here. The options are baseUrl, token, language, timeoutMs, deadlineMs, retries, fetch, context, hooks',
    ],
  ])('are validated: %j', (options, reason) => {
    expect(() => clientWith(options)).toThrow(
      expect.objectContaining({ code: 'client.option_invalid', detail: `${reason}.` }) as Error,
    );
  });

  it('are not printed: a log of the client does not contain its token', () => {
    const client = clientWith({ token: 'the-token' });
    expect(inspect(client, { depth: 9 })).not.toContain('the-token');
    expect(JSON.stringify(client)).not.toContain('the-token');
  });

  it.each(['http://users.example', 'http://users.example/', 'http://users.example//'])('can be %s', async (baseUrl) => {
    await assign(clientWith({ baseUrl }));
    expect(calls[0]?.url).toBe('http://users.example/api/users/workspace-assign');
  });

  it('can have a base path', async () => {
    await assign(clientWith({ baseUrl: new URL('https://gateway.example/users/') }));
    expect(calls[0]?.url).toBe('https://gateway.example/users/api/users/workspace-assign');
  });

  it('are validated in each call, too', async () => {
    const client = clientWith({});
    for (const wrong of [{ timeoutMs: -1 }, { deadlineMs: 0 }, { retries: 1.5 }, { language: 'de\n' }]) {
      await expect(failureOf(assign(client, wrong))).resolves.toMatchObject({ code: 'client.option_invalid' });
    }
    await expect(failureOf(client.users.get('ben', { ifNoneMatch: '' }))).resolves.toMatchObject({
      code: 'client.argument_invalid',
    });
    for (const ifMatch of ['', ' ', '"1"\n', '"€"']) {
      await expect(failureOf(client.users.update('ben', {}, { ifMatch }))).resolves.toMatchObject({
        code: 'client.argument_invalid',
        outcomeUnknown: false,
      });
    }
    await expect(failureOf(assign(client, { idempotencyKey: 'ü' }))).resolves.toMatchObject({
      code: 'client.argument_invalid',
    });
    await expect(failureOf(client.users.update('ben', { displayName: 1n } as never))).resolves.toMatchObject({
      code: 'client.argument_invalid',
    });
    expect(calls).toEqual([]);
  });
});

it('a call leaves neither a timer nor a listener', async () => {
  const { signal } = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = timers();
  await assign(clientWith({}), { signal });
  expect([timers(), getEventListeners(signal, 'abort')]).toEqual([before, []]);
});

describe('a name that no operation knows', () => {
  const wrong = (value: object) => value as never;
  const operations: [string, string, (client: UserAdministrationClient) => Promise<unknown>][] = [
    ['statuss', 'users', (it) => it.users.list(wrong({ statuss: 'active' })).all()],
    ['Status', 'users', (it) => it.users.list(wrong({ Status: undefined })).all()],
    ['signal', 'users', (it) => it.users.list(wrong({ signal: undefined })).all()],
    ['grants', 'workspaces', (it) => it.workspaces.list(wrong({ grants: 'member' })).all()],
    ['type', 'groups', (it) => it.groups.list(wrong({ type: 'member' })).all()],
    ['status', 'permissions', (it) => it.permissions.list(wrong({ status: 'active' })).all()],
    ['userId', 'the journal', (it) => it.journal.list(wrong({ userId: 'ben' })).all()],
    ['after', 'the journal', (it) => it.journal.list(wrong({ after: 'now' })).all()],
    ['actions', 'the journal after a cursor', (it) => it.journal.after(wrong({ after: 'now', actions: 'x' }))],
    [
      'cursor',
      'the journal that is followed',
      (it) =>
        it.journal
          .follow(wrong({ cursor: 'x' }))
          .pages()
          .next(),
    ],
    ['event', 'deliveries', (it) => it.webhooks.deliveries('x', wrong({ event: 'x' })).all()],
    ['dryrun', 'an assignment', (it) => assign(it, { dryrun: true })],
    ['preview', 'an unassignment', (it) => it.users.unassignWorkspaces(wrong({}), wrong({ preview: true }))],
    ['ifmatch', 'a change', (it) => it.users.update('ben', {}, wrong({ ifmatch: '"1"' }))],
    ['ifNoneMatch', 'a deletion', (it) => it.groups.delete('x', wrong({ ifNoneMatch: '"1"' }))],
    ['idempotencyKey', 'a change', (it) => it.webhooks.update('x', {}, wrong({ idempotencyKey: 'k' }))],
    ['timeout', 'a record', (it) => it.workspaces.get('x', wrong({ timeout: 1 }))],
    ['state', 'webhooks', (it) => it.webhooks.list(wrong({ state: 'failed' }))],
    ['timeout', 'health', (it) => it.health.ready(wrong({ timeout: 1 }))],
  ];

  it.each(operations)('is refused: %s of %s', async (name, _, call) => {
    const error = await failureOf(call(clientWith({})));
    expect(error).toMatchObject({ code: 'client.argument_invalid', outcomeUnknown: false });
    expect(error.detail).toMatch(new RegExp(`^There is no (filter|option) "${name}" here. The \\1s are .+, .+`));
    expect(calls).toEqual([]);
  });
});

describe('an id in a path', () => {
  it('is encoded', async () => {
    await clientWith({}).users.get('auth0|a/b?ü');
    expect(calls[0]?.url).toBe('http://users.example/api/users/auth0%7Ca%2Fb%3F%C3%BC');
  });

  it.each(['', '.', '..', '\ud800', undefined as unknown as string])(
    'that a URL cannot contain is refused: %j',
    async (id) => {
      await expect(failureOf(clientWith({}).users.delete(id))).resolves.toMatchObject({
        code: 'client.argument_invalid',
      });
      expect(calls).toEqual([]);
    },
  );
});

describe('the context of the request that is being served', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('is sent with each call', async () => {
    const context = () => ({ requestId: 'theirs', traceparent, tracestate: 'a=b' });
    await assign(clientWith({ context }));
    await assign(clientWith({ context }), { requestId: 'mine' });
    const own = traceparent.replace('b7', 'c8');
    await assign(clientWith({ context }), { traceparent: own });
    expect(calls[0]?.headers).toMatchObject({ 'x-request-id': 'theirs', traceparent, tracestate: 'a=b' });
    expect(calls[1]?.headers).toMatchObject({ 'x-request-id': 'mine', traceparent });
    expect(calls[2]?.headers).toMatchObject({ 'x-request-id': 'theirs', traceparent: own });
    expect(calls[2]?.headers).not.toHaveProperty('tracestate');
  });

  it.each([
    'cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-brings',
  ])('is sent as it is in a higher version: %s', async (higher) => {
    await assign(clientWith({ context: () => ({ traceparent: higher, tracestate: 'a=b' }) }));
    expect(calls[0]?.headers).toMatchObject({ traceparent: higher, tracestate: 'a=b' });
  });

  it.each([
    { traceparent: 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more' },
    { traceparent: 'cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more' },
    { traceparent: 'cc-00000000000000000000000000000000-b7ad6b7169203331-01-more' },
    { requestId: 'a b', traceparent: '00-00000000000000000000000000000000-b7ad6b7169203331-01' },
    { requestId: 'x'.repeat(129), traceparent: 'nonsense', tracestate: 'a=b' },
    { requestId: '', traceparent: '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01' },
  ])('is not sent if it is malformed', async (context) => {
    await assign(clientWith({ context: () => context }));
    expect(calls[0]?.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(calls[0]?.headers).not.toHaveProperty('traceparent');
    expect(calls[0]?.headers).not.toHaveProperty('tracestate');
  });

  it('is sent without a malformed tracestate', async () => {
    await assign(clientWith({ context: () => ({ traceparent, tracestate: 'a=ü' }) }));
    expect(calls[0]?.headers).toHaveProperty('traceparent', traceparent);
    expect(calls[0]?.headers).not.toHaveProperty('tracestate');
  });

  it('does not fail a call if its function fails', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    await assign(
      clientWith({
        context: () => {
          throw new Error('no store');
        },
      }),
    );
    expect(warned).toHaveBeenCalledWith('The context function failed: Error: no store', 'UserAdministrationClient');
  });
});

describe('the hooks', () => {
  it('see each attempt, and can add headers', async () => {
    const told: object[] = [];
    const hooks: ClientOptions['hooks'] = {
      attemptStarted: (attempt) => (attempt.headers.traceparent = 'of the span'),
      attemptEnded: ({ operation, number }, { status, error }) =>
        told.push({ operation, number, status, code: error?.code }),
    };
    await assign(clientWith({ hooks }));
    expect(calls[0]?.headers.traceparent).toBe('of the span');
    expect(told).toEqual([{ operation: 'POST /api/users/workspace-assign', number: 1, status: 200, code: undefined }]);
  });

  it('add headers to one attempt only', async () => {
    const sent: (string | undefined)[] = [];
    const fetch = (_: string, { headers }: { headers: Record<string, string> }) => {
      sent.push(headers['x-attempt']);
      return Promise.resolve(
        Response.json({ status: 200, message: 'Done.' }, { status: sent.length === 1 ? 503 : 200 }),
      );
    };
    const hooks: Hooks = {
      attemptStarted: ({ number, headers }) => {
        if (number === 1) headers['x-attempt'] = 'first';
      },
    };
    await assign(clientWith({ fetch, hooks }));
    expect(sent).toEqual(['first', undefined]);
  });

  it('see no attempt of a call that was aborted while it waited for its token', async () => {
    const attemptStarted = jest.fn();
    const controller = new AbortController();
    const token = () => {
      controller.abort();
      return 't';
    };
    const call = assign(clientWith({ token, hooks: { attemptStarted } }), { signal: controller.signal });
    await expect(failureOf(call)).resolves.toMatchObject({ code: 'client.aborted', outcomeUnknown: false });
    await new Promise(setImmediate);
    expect(attemptStarted).not.toHaveBeenCalled();
  });

  it('are never shown the token, and cannot break a call', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const attemptStarted = jest.fn(() => {
      throw new Error('broken');
    });
    await assign(clientWith({ hooks: { attemptStarted } }));
    expect(JSON.stringify(attemptStarted.mock.calls)).not.toContain('Bearer');
    expect(warned).toHaveBeenCalledWith('A hook failed: Error: broken', 'UserAdministrationClient');
  });

  it('can be async functions that fail', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockReset().mockImplementation();
    const broken = () => Promise.reject(new Error('broken'));
    await assign(clientWith({ hooks: { attemptStarted: broken, attemptEnded: broken } }));
    await new Promise(setImmediate);
    expect(warned.mock.calls).toEqual(Array(2).fill(['A hook failed: Error: broken', 'UserAdministrationClient']));
  });

  it.each<[string, () => CallOptions]>([
    ['client.aborted', () => ({ signal: AbortSignal.timeout(20) })],
    ['client.deadline_exceeded', () => ({ deadlineMs: 20 })],
    ['client.timed_out', () => ({ timeoutMs: 20, retries: 0 })],
  ])('see why an attempt was stopped: %s', async (code, options) => {
    const seen: unknown[] = [];
    const fetch = () => new Promise(() => undefined);
    const hooks: Hooks = { attemptEnded: (_, { error }) => seen.push(error?.code) };
    await expect(failureOf(assign(clientWith({ fetch, hooks }), options()))).resolves.toMatchObject({ code });
    await new Promise(setImmediate);
    expect(seen).toEqual([code]);
  });
});

it('the options of a receiver and of credentials are validated in the same way', () => {
  const refused = (name: string) =>
    expect.objectContaining({
      code: 'client.option_invalid',
      detail: expect.stringContaining(`There is no option "${name}" here.`) as string,
    }) as Error;
  const secrets = `whsec_${btoa('a secret for these tests of 32 bytes')}`;
  const receiver = { secrets, tolerance: 5 } as WebhookReceiverOptions;
  expect(() => new WebhookReceiver(receiver)).toThrow(refused('tolerance'));
  const credentials = { tokenUrl: 'https://id.example', clientId: 'a', clientSecret: 'b', audience: 'c' };
  expect(() => clientCredentials(credentials)).toThrow(refused('audience'));
});
