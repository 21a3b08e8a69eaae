import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { UserAdministrationClient } from '../src/user-administration-client.ts';
import { failureOf } from './support/failure-of.ts';
import { type Act, hang, reply, ScriptedServer } from './support/scripted-server.ts';

let server: ScriptedServer;
afterEach(() => server.close());

async function clientOf(act: Act, options = {}): Promise<UserAdministrationClient> {
  server = await ScriptedServer.start(act);
  return new UserAdministrationClient({ baseUrl: server.url, token: 'token', retries: 1, ...options });
}

const assignment = { userIds: ['ben'], workspaces: ['atlas'] };
const PAGE = '<html><head><style>a{}</style><title>Sign in</title></head><body><h1>Welcome</h1></body></html>';
const withId = { 'x-request-id': 'r-1' };

describe('an answer that does not come from this service', () => {
  it.each<[string, Act, object]>([
    [
      'an HTML page',
      reply(200, PAGE, withId),
      { status: 200, detail: expect.stringContaining('text/html ("Sign in Welcome")'), outcomeUnknown: true },
    ],
    ['an HTML page that refuses', reply(403, PAGE, withId), { status: 403, outcomeUnknown: false }],
    ['an HTML page that fails', reply(500, PAGE, withId), { status: 500, outcomeUnknown: true }],
    [
      'a redirect',
      reply(301, '', { ...withId, location: 'https://elsewhere.example/' }),
      { status: 301, detail: expect.stringContaining('301 with a redirect.') },
    ],
    ['JSON of another service', reply(404, { message: 'Cannot POST', error: 'Not Found' }, withId), { status: 404 }],
    [
      'JSON that is not an object',
      reply(200, '[]', { ...withId, 'content-type': 'application/json' }),
      { status: 200, outcomeUnknown: true, idempotencyKey: expect.any(String) },
    ],
    ['nothing', reply(200, '', withId), { status: 200, outcomeUnknown: true }],
    ['204', reply(204, '', withId), { status: 204, outcomeUnknown: true }],
  ])('fails the call, with its request id: %s', async (_, act, facts) => {
    const client = await clientOf(act);
    const error = await failureOf(client.users.assignWorkspaces(assignment));
    expect(error).toMatchObject({ code: 'client.unexpected_answer', requestId: 'r-1', temporary: false, ...facts });
    expect(server.requests).toHaveLength(1);
  });

  const TOKEN = `${'h'.repeat(40)}.${'p'.repeat(40)}.${'s'.repeat(40)}`;
  const reflect = (body: (token: string) => string, headers: Record<string, string> = {}) =>
    reply(401, body(TOKEN), headers);
  const json = { 'content-type': 'application/problem+json' };

  it.each<[string, Act]>([
    ['in the address of a redirect', reply(302, '', { location: `https://elsewhere.example/?t=${TOKEN}` })],
    ['in HTML', reflect((token) => `<pre>authorization: Bearer ${token}</pre>`)],
    ['in text that is cut off', reflect((token) => `Bearer ${token.slice(0, 60)}`)],
    ['without its first part', reflect((token) => `payload: ${token.slice(41)}`)],
    ['in an error that looks like ours', reflect((token) => `{"code":"a.b","detail":"No: ${token}"}`, json)],
    ['in its code', reflect((token) => `{"code":"${token}","detail":"No."}`, json)],
    ['in its positions', reflect((token) => `{"code":"a.b","detail":"No.","errors":[{"id":"${token}"}]}`, json)],
    ['in its type', reflect(() => 'x', { 'content-type': `text/${TOKEN}` })],
    ['in its request id', reflect(() => 'x', { 'x-request-id': TOKEN })],
    ['in an answer that is not HTTP', (_, socket) => void socket.end(`HTTP/1.1 200 OK\r\n${TOKEN}\r\n\r\n`)],
  ])('is not quoted with the token in it: %s', async (_, act) => {
    const ended: unknown[] = [];
    const client = await clientOf(act, {
      token: TOKEN,
      hooks: { attemptEnded: (...end: unknown[]) => ended.push(end) },
    });
    const shown = inspect([await failureOf(client.me()), ended], { depth: 9 });
    for (const part of [...TOKEN.split('.'), 'elsewhere']) expect(shown).not.toContain(part.slice(0, 16));
  });

  it.each<[string, unknown]>([
    ['a cause', new Error('broken', { cause: new Error(TOKEN) })],
    ['one of several errors', new AggregateError([new Error(TOKEN)], 'broken')],
    ['an exception of the web', new DOMException(TOKEN)],
    ['headers', Object.assign(new Error('broken'), { headers: new Headers({ authorization: `Bearer ${TOKEN}` }) })],
    ['an address', Object.assign(new Error('broken'), { url: new URL(`https://elsewhere.example/?t=${TOKEN}`) })],
    ['a map in itself', Object.assign(new Error('broken'), { map: new Map([['token', [TOKEN]]]) })],
    ['a name', Object.assign(new Error('broken'), { [TOKEN]: 1 })],
  ])('is not quoted with the token in an error of fetch: %s', async (_, thrown) => {
    const client = await clientOf(hang, { token: TOKEN, retries: 0, fetch: () => Promise.reject(thrown as Error) });
    const error = await failureOf(client.me());
    expect(error.code).toBe('client.connection_failed');
    expect(inspect(error, { depth: 9 })).not.toContain('hhhhhhhh');
  });

  it('fails a change that was only accepted', async () => {
    const client = await clientOf(reply(202, { queued: true }));
    await expect(failureOf(client.users.assignWorkspaces(assignment))).resolves.toMatchObject({
      code: 'client.unexpected_answer',
      outcomeUnknown: true,
    });
  });

  it.each<[string, Act]>([
    ['200 without a body', reply(200)],
    ['202 without a body', reply(202)],
    ['304', reply(304)],
    ['JSON', reply(200, { message: 'OK' })],
  ])('fails a deletion, which the service answers with 204: %s', async (_, act) => {
    const client = await clientOf(act);
    const error = await failureOf(client.users.delete('ben'));
    expect(error).toMatchObject({ code: 'client.unexpected_answer', outcomeUnknown: true, temporary: false });
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Act]>([
    ['a list that is not an array', reply(200, { users: 'ben', next: null })],
    ['a list by another name', reply(200, { items: [], next: null })],
    ['an entry that is null', reply(200, { users: [{ id: 'ben' }, null], next: null })],
    ['an entry that is text', reply(200, { users: ['ben'], next: null })],
    ['a cursor that is not text', reply(200, { users: [], next: 7 })],
    ['a cursor that does not change', reply(200, { users: [], next: 'x' })],
    ['304', reply(304)],
  ])('fails the reading of a list: %s', async (_, act) => {
    const client = await clientOf(act);
    await expect(failureOf(client.users.list().all())).resolves.toMatchObject({ code: 'client.unexpected_answer' });
  });

  it('fails the reading of a record that was sent without a condition: 304', async () => {
    const client = await clientOf(reply(304));
    await expect(failureOf(client.users.get('ben'))).resolves.toMatchObject({ code: 'client.unexpected_answer' });
  });
});

it('an answer in parts is read like a whole one, also if a character is divided', async () => {
  const answer = { status: 200, message: 'Erledigt für 1 €' };
  const parts = [...Buffer.from(JSON.stringify(answer))].map((byte) => Uint8Array.of(byte));
  const headers = { 'content-type': 'application/json' };
  const fetch = () => Promise.resolve(new Response(ReadableStream.from(parts), { headers }));
  const client = await clientOf(hang, { fetch });
  await expect(client.users.assignWorkspaces(assignment)).resolves.toEqual(answer);
});

describe('an error of fetch', () => {
  const coded = { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:80' };

  it.each<[string, object, string]>([
    ['in its cause', { cause: coded }, coded.message],
    ['in the cause of its cause', { cause: { message: 'other', cause: coded } }, coded.message],
    ['in a list of several addresses', { cause: { message: '', errors: [coded, coded] } }, coded.message],
    ['without a message', { cause: { code: coded.code, message: '' } }, coded.code],
  ])('says why nothing was sent: %s', async (_, error, reason) => {
    const fetch = () => Promise.reject(Object.assign(new TypeError('fetch failed'), error));
    const client = await clientOf(hang, { fetch, retries: 0 });
    await expect(failureOf(client.users.assignWorkspaces(assignment))).resolves.toMatchObject({
      code: 'client.connection_failed',
      detail: `No complete answer from ${server.url}: ${reason}.`,
      temporary: true,
      outcomeUnknown: false,
    });
  });
});

describe('an answer without an end', () => {
  it('is not read further than any answer of the service can be long', async () => {
    const cancel = jest.fn();
    const endless = { pull: (to: ReadableStreamDefaultController) => to.enqueue(new Uint8Array(1024 * 1024)), cancel };
    const fetch = () => Promise.resolve(new Response(new ReadableStream(endless)));
    const client = await clientOf(hang, { fetch, retries: 0, timeoutMs: 60_000, deadlineMs: 60_000 });
    const error = await failureOf(client.users.assignWorkspaces(assignment));
    expect(error.detail).toContain('the answer is longer than 67108864 bytes');
    expect(cancel).toHaveBeenCalledTimes(1);
  });
});

describe('a server that stops in the middle of an answer', () => {
  it('is detected if it stops before the first byte of the body', async () => {
    const client = await clientOf((_request, socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n');
    });
    const error = await failureOf(client.users.assignWorkspaces(assignment));
    expect(error).toMatchObject({ code: 'client.connection_failed', temporary: true, outcomeUnknown: true });
    expect(server.requests).toHaveLength(2);
  });

  it('is detected without a Content-Length', async () => {
    const client = await clientOf((_request, socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: r-2\r\n\r\n{"status":200,"mess');
    });
    const error = await failureOf(client.users.assignWorkspaces(assignment));
    expect(error).toMatchObject({ code: 'client.connection_failed', requestId: 'r-2', outcomeUnknown: true });
    expect(error.detail).toBe('The answer was cut off.');
    expect(server.requests).toHaveLength(2);
  });

  it('is detected by the time limit of the attempt', async () => {
    const stop: Act = (_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"status"');
    };
    const client = await clientOf(stop, { timeoutMs: 200 });
    const error = await failureOf(client.users.assignWorkspaces(assignment));
    expect(error).toMatchObject({ code: 'client.timed_out', outcomeUnknown: true, temporary: true });
    expect(error.requestId).toBe(server.requests[0]?.headers['x-request-id']);
  });

  it('does not delay a call beyond its deadline, even if fetch ignores its signal', async () => {
    const deaf = () => new Promise<Response>(() => undefined);
    const client = await clientOf(hang, { deadlineMs: 150, fetch: deaf });
    const began = performance.now();
    const error = await failureOf(client.users.assignWorkspaces(assignment));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(error).toMatchObject({ code: 'client.deadline_exceeded', outcomeUnknown: true, temporary: true });
    expect(error.idempotencyKey).toMatch(/^[\w-]{36}$/);
  });
});

describe('a service that is not running', () => {
  it('fails the call with the reason', async () => {
    const client = await clientOf(hang);
    await server.close();
    const error = await failureOf(client.users.assignWorkspaces(assignment));
    expect(error).toMatchObject({ code: 'client.connection_failed', temporary: true, outcomeUnknown: false });
    const { host } = new URL(server.url);
    expect(error.detail).toBe(`No complete answer from http://${host}: connect ECONNREFUSED ${host}.`);
    expect(error.message).not.toContain('token');
  });
});

describe('a signal', () => {
  it('can be shared by many concurrent calls', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    const client = await clientOf(reply(200, { status: 200, message: 'Done.' }));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 30 }, () => client.users.assignWorkspaces(assignment, { signal })));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends a call during an attempt', async () => {
    const client = await clientOf(hang);
    const signal = AbortSignal.timeout(50);
    const error = await failureOf(client.users.assignWorkspaces(assignment, { signal }));
    expect(error).toMatchObject({ code: 'client.aborted', cause: signal.reason as Error, outcomeUnknown: true });
  });

  it('ends a call during a pause', async () => {
    const controller = new AbortController();
    // The pause begins after the hook.
    const hooks = { attemptEnded: () => void setImmediate(() => controller.abort()) };
    const client = await clientOf(reply(503, PAGE, { ...withId, 'retry-after': '20' }), { hooks });
    const call = failureOf(client.users.assignWorkspaces(assignment, { signal: controller.signal }));
    const began = performance.now();
    await expect(call).resolves.toMatchObject({ code: 'client.aborted', outcomeUnknown: true, requestId: 'r-1' });
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(server.requests).toHaveLength(1);
  });

  it('that was aborted before the call sends nothing', async () => {
    const client = await clientOf(hang);
    const error = await failureOf(client.users.assignWorkspaces(assignment, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: 'client.aborted', outcomeUnknown: false });
    expect(server.requests).toHaveLength(0);
  });
});
