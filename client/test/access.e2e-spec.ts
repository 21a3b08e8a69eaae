import { useTestService } from '../../test/support/test-service';
import { UserAdministrationClient } from '../src/user-administration-client.ts';
import type { AccessLine } from '../src/index.ts';
import { failureOf } from './support/failure-of.ts';
import { type Act, ScriptedServer } from './support/scripted-server.ts';

const service = useTestService();
const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const LINE = { user: { id: 'ben' }, source: null, permissions: [] };
const END = { end: { lines: 1, at: '2026-11-28T09:30:00.000Z' } };

const sending = (...lines: (object | string)[]): Act => {
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  return (_, socket) =>
    socket.end(
      `HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson; charset=utf-8\r\nconnection: close\r\n\r\n${text}`,
    );
};

async function clientOf(...script: Act[]): Promise<UserAdministrationClient> {
  const server = await ScriptedServer.start(...script);
  servers.push(server);
  return new UserAdministrationClient({ baseUrl: server.url, token: 'any', retries: 0 });
}

async function all(lines: AsyncIterable<AccessLine>): Promise<AccessLine[]> {
  const read: AccessLine[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

describe('client.access', () => {
  it('yields the lines of the service', async () => {
    const { directory } = service;
    await directory.permission('users.administer', 'administrator');
    await directory.workspace('atlas', ['users.administer']);
    await directory.group('editors', 'atlas');
    await directory.user('ada', { type: 'administrator', permissions: ['users.administer'] });
    await directory.user('ben');
    await directory.member('ben', 'atlas', ['editors']);
    const client = new UserAdministrationClient({ baseUrl: service.url, token: service.tokenOf('ada') });
    const lines = await all(client.access({ workspace: 'atlas' }));
    expect(lines.map(({ user, source, permissions }) => [user.id, source, permissions])).toEqual([
      ['ben', { kind: 'workspace', id: 'atlas', name: 'atlas' }, ['users.administer']],
      ['ben', { kind: 'group', id: 'editors', name: 'editors', workspace: 'atlas' }, []],
    ]);
    expect(await all(client.access({ id: ['nobody'] }))).toEqual([]);
  });

  it('throws the refusals of the service', async () => {
    const client = new UserAdministrationClient({ baseUrl: service.url, token: 'nothing', retries: 0 });
    expect((await failureOf(all(client.access()))).code).toBe('auth.token_invalid');
    const unknown = new UserAdministrationClient({ baseUrl: service.url, token: 'any' });
    expect((await failureOf(all(unknown.access({ limit: 5 } as object)))).code).toBe('client.argument_invalid');
  });

  it.each([
    ['ends without its end', sending(LINE)],
    ['breaks within a line', sending(LINE, '{"user":{"id":"c')],
    ['has fewer lines than it tells', sending(END)],
    ['goes on after its end', sending(LINE, END, LINE)],
    ['is empty', sending()],
  ])('throws where the answer %s', async (_, act) => {
    const client = await clientOf(act);
    expect(await failureOf(all(client.access()))).toMatchObject({ code: 'client.connection_failed', temporary: true });
  });

  it.each([
    ['has a line that is no JSON', sending('<html>\n')],
    ['has a line that is no object', sending('[]\n')],
    [
      'is another JSON',
      ((_, socket) =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}')) as Act,
    ],
  ])('throws where the answer %s', async (_, act) => {
    const client = await clientOf(act);
    expect((await failureOf(all(client.access()))).code).toBe('client.unexpected_answer');
  });

  it('ends the answer when the loop is left, and when the signal is aborted', async () => {
    const closed: Promise<unknown>[] = [];
    const endless: Act = (_, socket) => {
      closed.push(new Promise((resolve) => socket.once('close', resolve)));
      const begin = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n';
      const line = `${JSON.stringify(LINE)}\n`;
      socket.write(`${begin}${line.length.toString(16)}\r\n${line}\r\n`);
    };
    const client = await clientOf(endless);
    for await (const line of client.access()) {
      expect(line).toEqual(LINE);
      break;
    }
    const over = new AbortController();
    const lines = client.access({}, { signal: over.signal });
    expect((await lines.next()).value).toEqual(LINE);
    const next = failureOf(lines.next());
    over.abort();
    expect((await next).code).toBe('client.aborted');
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });

  it('throws where no part arrives in time', async () => {
    const silent: Act = (_, socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n');
    const client = await clientOf(silent);
    const failure = await failureOf(all(client.access({}, { timeoutMs: 50 })));
    expect(failure).toMatchObject({ code: 'client.connection_failed', temporary: true });
  });
});
