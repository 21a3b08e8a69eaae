import type { UserFilter } from '../src/types/directory.ts';
import { UserAdministrationClient } from '../src/user-administration-client.ts';
import { failureOf } from './support/failure-of.ts';
import { problem, reply, reset, ScriptedServer, type Act } from './support/scripted-server.ts';

let server: ScriptedServer;
afterEach(() => server.close());

async function clientOf(...script: Act[]): Promise<UserAdministrationClient> {
  server = await ScriptedServer.start(...script);
  return new UserAdministrationClient({ baseUrl: server.url, token: 'token' });
}

const paths = () => server.requests.map(({ path }) => path);
const users = (next: string | null, ...ids: string[]) => reply(200, { users: ids.map((id) => ({ id })), next });
const entries = (next: string, ...ids: string[]) => reply(200, { entries: ids.map((id) => ({ id })), next });

describe('a list', () => {
  it('is read page by page, only as far as the loop goes', async () => {
    const client = await clientOf(users('2', 'ada', 'ben'), users('3', 'cyd'), users(null, 'dee'));
    const seen: string[] = [];
    for await (const user of client.users.list({ workspace: 'at&las', id: ['a', 'b'], limit: 2 })) {
      seen.push(user.id);
      if (user.id === 'cyd') break;
    }
    expect(seen).toEqual(['ada', 'ben', 'cyd']);
    expect(paths()).toEqual([
      '/api/users?workspace=at%26las&id=a&id=b&limit=2',
      '/api/users?workspace=at%26las&id=a&id=b&limit=2&cursor=2',
    ]);
  });

  it('tells on each page how many match, if asked', async () => {
    const total = { count: 2, exact: true };
    const page = (next: string | null, id: string) => reply(200, { users: [{ id }], next, total });
    const client = await clientOf(page('2', 'ada'), page(null, 'ben'));
    const found: unknown[] = [];
    for await (const one of client.users.list({ sort: '-updatedAt', total: true }).pages()) found.push(one);
    expect(found).toEqual([
      { items: [{ id: 'ada' }], next: '2', total },
      { items: [{ id: 'ben' }], next: null, total },
    ]);
    expect(paths()).toEqual([
      '/api/users?sort=-updatedAt&total=true',
      '/api/users?sort=-updatedAt&total=true&cursor=2',
    ]);
  });

  it('refuses a total that is none', async () => {
    const client = await clientOf(reply(200, { users: [], next: null, total: 3 }));
    await expect(failureOf(client.users.list({ total: true }).all())).resolves.toMatchObject({
      code: 'client.unexpected_answer',
    });
  });

  it('can be read at once, and from a cursor', async () => {
    const client = await clientOf(users('3', 'cyd'), users(null, 'dee'));
    await expect(client.users.list({ cursor: '2' }).all()).resolves.toEqual([{ id: 'cyd' }, { id: 'dee' }]);
    expect(paths()).toEqual(['/api/users?cursor=2', '/api/users?cursor=3']);
  });

  it('keeps its filters when the object that gave them changes', async () => {
    const client = await clientOf(users('2', 'ada'), users(null, 'ben'));
    const filter: UserFilter = { status: 'active' };
    const pages = client.users.list(filter);
    filter.cursor = '9';
    for await (const { id } of pages) {
      filter.status = id === 'ada' ? 'inactive' : 'active';
    }
    expect(paths()).toEqual(['/api/users?status=active', '/api/users?status=active&cursor=2']);
  });

  it('is read without the filters that have no value', async () => {
    const client = await clientOf(users(null));
    await client.users.list({ status: null, search: undefined, type: 'guest' } as object).all();
    expect(paths()).toEqual(['/api/users?type=guest']);
  });

  it('is not read with an empty list as a filter, which the service would take for no filter', async () => {
    const client = await clientOf(users(null, '1'), entries('c1', '2'));
    const refusal = { code: 'client.argument_invalid', detail: expect.stringContaining('id') as string };
    await expect(failureOf(client.users.list({ id: [] }).all())).resolves.toMatchObject(refusal);
    const following = client.journal.follow({ action: [] })[Symbol.asyncIterator]();
    await expect(failureOf(following.next())).resolves.toMatchObject({ code: 'client.argument_invalid' });
    expect(paths()).toEqual([]);
  });

  it('retries each page like any call', async () => {
    const client = await clientOf(users('2', 'ada'), reset, users(null, 'ben'));
    await expect(client.users.list().all()).resolves.toHaveLength(2);
  });
});

describe('following the journal', () => {
  it('has a time limit that includes its wait, also if an option of the call has no value', async () => {
    const later: Act = (...exchange) => void setTimeout(() => entries('c1')(...exchange), 100);
    await clientOf(later);
    const client = new UserAdministrationClient({ baseUrl: server.url, token: 'token', timeoutMs: 20, deadlineMs: 20 });
    const options = { timeoutMs: undefined, deadlineMs: undefined };
    await expect(client.journal.after({ after: 'c0', wait: 1 }, options)).resolves.toMatchObject({ next: 'c1' });
  });

  it('starts at the present, waits, and continues after an outage where it was', async () => {
    const client = await clientOf(
      entries('c0'),
      entries('c2', '1', '2'),
      reset,
      problem(503, 'service.unavailable', { 'retry-after': '0' }),
      entries('c2'),
      entries('c3', '3'),
    );
    const seen: string[] = [];
    for await (const { id } of client.journal.follow({ action: 'user.status.changed', wait: 25 })) {
      seen.push(id);
      if (id === '3') break;
    }
    expect(seen).toEqual(['1', '2', '3']);
    expect(paths().map((path) => path.replace('/api/journal?action=user.status.changed&', ''))).toEqual([
      'after=now&wait=0',
      'after=c0&wait=25',
      'after=c2&wait=25',
      'after=c2&wait=0',
      'after=c2&wait=0',
      'after=c2&wait=25',
    ]);
  });

  it('tells whether more can be read at once, also after a page without entries', async () => {
    const linked = reply(200, { entries: [], next: 'c1' }, { link: '</api/journal?after=c1>; rel="next"' });
    const client = await clientOf(linked, entries('c2', '1'), entries('c3'));
    const pages = [];
    for await (const { entries: found, ...page } of client.journal.follow({ action: ['user.deleted'] }).pages()) {
      pages.push([found.length, page]);
      if (pages.length === 3) break;
    }
    expect(pages).toEqual([
      [0, { next: 'c1', more: true }],
      [1, { next: 'c2', more: false }],
      [0, { next: 'c3', more: false }],
    ]);
  });

  it('repeats the parameter for several actions', async () => {
    const client = await clientOf(entries('c1'), reply(200, { entries: [], next: null }));
    const action = ['user.deleted', 'user.created'] as const;
    await client.journal.after({ after: 'c0', action });
    await client.journal.list({ action }).all();
    expect(paths()).toEqual([
      '/api/journal?after=c0&action=user.deleted&action=user.created&wait=0',
      '/api/journal?action=user.deleted&action=user.created',
    ]);
  });

  const LINKED = reply(200, { entries: [], next: 'c0' }, { link: '</api/journal?after=c0>; rel="next"' });

  it.each([
    ['an address that answers at once and never tells anything', {}, entries('c0')],
    ['an address that promises more, but stays where it is', {}, LINKED],
    ['the service if it is not to wait', { wait: 0 }, entries('c0')],
  ])('rests before it asks again %s', async (_, filter, answer) => {
    const client = await clientOf(...Array.from({ length: 2_000 }, () => answer));
    const stopping = new AbortController();
    const ended = failureOf(
      (async () => {
        for await (const entry of client.journal.follow(filter, { signal: stopping.signal })) void entry;
      })(),
    );
    setTimeout(() => stopping.abort(), 1_000);
    await expect(ended).resolves.toMatchObject({ code: 'client.aborted' });
    expect(paths().length).toBeLessThan(20);
  });

  it('continues after pages of a proxy in between', async () => {
    const page = (status: number) => reply(status, '<html>Maintenance</html>', { 'content-type': 'text/html' });
    const client = await clientOf(page(500), page(521), entries('c0'), page(200), page(403), entries('c1', '1'));
    for await (const { id } of client.journal.follow()) {
      expect(id).toBe('1');
      break;
    }
    expect(paths()).toHaveLength(6);
  });

  it('ends if its first answer comes from another server', async () => {
    const client = await clientOf(reply(200, '<html>Welcome</html>', { 'content-type': 'text/html' }));
    const following = client.journal.follow()[Symbol.asyncIterator]();
    await expect(failureOf(following.next())).resolves.toMatchObject({ code: 'client.unexpected_answer', status: 200 });
  });

  it('ends when the service refuses the call', async () => {
    const client = await clientOf(entries('c0'), problem(403, 'auth.administrator_required'));
    const following = client.journal.follow()[Symbol.asyncIterator]();
    await expect(failureOf(following.next())).resolves.toMatchObject({ code: 'auth.administrator_required' });
  });

  it('ends when its signal is aborted, also in a pause', async () => {
    const client = await clientOf(problem(503, 'service.unavailable', { 'retry-after': '30' }));
    const controller = new AbortController();
    const next = failureOf(client.journal.follow({}, { signal: controller.signal })[Symbol.asyncIterator]().next());
    setTimeout(() => controller.abort(), 100);
    await expect(next).resolves.toMatchObject({ code: 'client.aborted' });
  });

  it('has a method for the cursor of the present', async () => {
    const client = await clientOf(entries('c7'));
    await expect(client.journal.now()).resolves.toBe('c7');
    expect(paths()).toEqual(['/api/journal?after=now&wait=0&limit=1']);
  });

  it('fails if the service does not support it', async () => {
    const client = await clientOf(reply(200, { entries: [], next: null }));
    await expect(failureOf(client.journal.now())).resolves.toMatchObject({ code: 'client.unexpected_answer' });
  });
});
