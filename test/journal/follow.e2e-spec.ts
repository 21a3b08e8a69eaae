import { setMaxListeners } from 'node:events';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { createDataSource } from '../../src/database/data-source';
import { Statements } from '../../src/database/statements';
import { DatabaseAwayError } from '../../src/database/database-errors';
import { FeedCursor, type FeedPosition } from '../../src/journal/feed-cursor';
import type { FeedPage } from '../../src/journal/feed-page';
import { FeedReader } from '../../src/journal/feed-reader';
import { FeedWatch } from '../../src/journal/feed-watch';
import { JournalCursor } from '../../src/journal/journal-cursor';
import { RequestsUnderWay } from '../../src/server/requests-under-way';
import { startTestService, type TestService } from '../support/test-service';
import { type Answer, ask, manageStatus, UNAUTHENTICATED } from '../support/ask';
import { StatementLog } from '../database/statement-log';
import { eventually } from '../support/eventually';

const FORBIDDEN = '{"status":403,"message":"Only an administrator can do this."}';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ environment: { SHUTDOWN_DRAIN_MS: '0' } });
  await service.directory.user('ada', { type: 'administrator' });
  await service.directory.user('zoe', { type: 'administrator' });
  await service.directory.user('ben', { type: 'manager' });
  await service.directory.user('cyd');
  await service.directory.user('max', { type: 'manager' });
});
afterAll(() => service.close());

function read(query: string, init: RequestInit & { sub?: string } = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${service.tokenOf(init.sub ?? 'ada')}` };
  return ask(`${service.url}/api/journal${query}`, { ...init, headers });
}

async function page(query: string): Promise<JournalPageDto> {
  const { status, text } = await read(query);
  expect([status, text]).toEqual([200, expect.stringMatching(/^\{"entries":\[.*\],"next":"[\w-]+"\}$/)]);
  return JSON.parse(text) as JournalPageDto;
}

const usersOf = ({ entries }: JournalPageDto) => entries.map(({ user }) => user);

/** Ada gives a user the other status, and that is an entry. */
async function toggle(id: string): Promise<void> {
  const token = service.tokenOf('ada');
  expect((await manageStatus(service, token, { id, token })).status).toBe(200);
}

/** A change of so many users, `user-1` and so on. */
async function change(action: string, users: number): Promise<void> {
  await service.dataSource.query(
    `SELECT journal_append_changes('system', 'mill', NULL, NULL, NULL, ARRAY[
       ROW($1, (SELECT array_agg('user-' || n ORDER BY n) FROM generate_series(1, $2::integer) AS n), '{}', NULL, NULL)::journal_new_change])`,
    [action, users],
  );
}

/** Resolves when so many callers wait for an entry. */
const waiting = (count: number, of = service) =>
  eventually(() => Promise.resolve(expect(of.app.get(FeedWatch).waiting).toBe(count)));

/** Waits for Ada, until a time of `performance.now()`. */
function follow(position: FeedPosition, reader: FeedReader, judges: Statements, deadline: number): Promise<FeedPage> {
  const watch = new FeedWatch(reader, judges, service.app.get(RequestsUnderWay));
  const ada = { kind: 'user', id: 'ada' } as const;
  return watch.wait({ actor: ada, filter: {}, limit: 1, position, deadline }, new AbortController().signal);
}

it('a follower whose authority cannot be judged is told so', async () => {
  const unconnected = new Statements(createDataSource({ url: 'postgres://127.0.0.1:1/', poolSize: 1 }));
  const reader = service.app.get(FeedReader);
  const told = expect(follow(await reader.present(), reader, unconnected, Infinity)).rejects.toThrow(
    'not connected yet',
  );
  await toggle('ben');
  await told;
});

it('a follower waits through an outage that ends in time, and is told of one that does not', async () => {
  class Interrupted extends Statements {
    private polls = 0;

    override query<Rows>(statement: string, values?: unknown[]): Promise<Rows> {
      this.polls += 1;
      return this.polls === 1 ? Promise.reject(new DatabaseAwayError('away')) : super.query(statement, values);
    }
  }
  const interrupted = () => new FeedReader(new Interrupted(service.dataSource));
  const judges = service.app.get(Statements);
  const present = await service.app.get(FeedReader).present();
  await expect(follow(present, interrupted(), judges, 0)).rejects.toThrow('away');
  const told = follow(present, interrupted(), judges, Infinity);
  await toggle('ben');
  expect((await told).entries).toMatchObject([{ user: 'ben' }]);
});

describe('GET /api/journal?after', () => {
  it('starts at the present with after=now, and then returns later entries, oldest first', async () => {
    await toggle('ben');
    const present = await page('?after=now');
    expect(present.entries).toEqual([]);
    await toggle('cyd');
    await toggle('ben');

    const told = await page(`?after=${present.next}`);
    expect(usersOf(told)).toEqual(['cyd', 'ben']);
    expect(told.entries).toEqual((JSON.parse((await read('?limit=2')).text) as JournalPageDto).entries.toReversed());
    expect(await page(`?after=${told.next}`)).toEqual({ entries: [], next: told.next });
  });

  it('returns the whole journal from its beginning, in pages', async () => {
    const told: (string | null)[] = [];
    let after = FeedCursor.write({ delivered: new Map() });
    for (;;) {
      const { entries, next } = await page(`?after=${after}&limit=1`);
      if (entries.length === 0) break;
      expect(entries).toHaveLength(1);
      told.push(...entries.map(({ id }) => id));
      after = next as string;
    }
    const { entries } = JSON.parse((await read('?limit=200')).text) as JournalPageDto;
    expect(told).toEqual(entries.map(({ id }) => id).reverse());
  });

  it('applies the filters, and skips other entries', async () => {
    const { next } = await page('?after=now');
    await toggle('cyd');
    await toggle('ben');
    const told = await page(`?after=${next}&user=ben&action=user.status.changed&actor=ada`);
    expect(usersOf(told)).toEqual(['ben']);
    expect(usersOf(await page(`?after=${next}&actor=nobody`))).toEqual([]);
    expect(usersOf(await page(`?after=${told.next}`))).toEqual([]);
  });

  it('applies several actions as one filter', async () => {
    const { next } = await page('?after=now');
    await toggle('cyd');
    const found = (actions: string) => page(`?after=${next}${actions}`).then(usersOf);
    expect(await found('&action=user.deleted&action=user.status.changed')).toEqual(['cyd']);
    expect(await found('&action=user.deleted&action=user.created')).toEqual([]);
  });

  it('links to the next page only if more entries can be read at once', async () => {
    const { next } = await page('?after=now&wait=0');
    await toggle('cyd');
    await toggle('ben');
    const link = async (query: string) => (await read(query)).headers.get('link');
    const first = await read(`?limit=1&after=${next}&action=user.status.changed&action=user.deleted`);
    const { entries, next: second } = JSON.parse(first.text) as JournalPageDto;
    const later = `limit=1&after=${second}&action=user.status.changed&action=user.deleted`;
    expect([entries.length, first.headers.get('link')]).toEqual([1, `</api/journal?${later}>; rel="next"`]);
    expect(await link(`?${later}`)).toBeNull();
    expect(await link(`?after=${next}`)).toBeNull();
    expect(await link(`?after=${next}&user=nobody&wait=1`)).toBeNull();
    expect(await link('?after=now')).toBeNull();
    expect(await link('?limit=1')).toMatch(/^<\/api\/journal\?limit=1&cursor=\w+>; rel="next"$/);
    expect(await link('?user=nobody')).toBeNull();
  });

  it('links to the next page after an empty page if it has not yet searched to the end', async () => {
    const { next } = await page('?after=now');
    await service.dataSource.query(
      `SELECT journal_append_changes('system', 'mill', NULL, NULL, NULL, array_agg(
         ROW('user.type.changed', ARRAY['user-' || n], '{}', NULL, NULL)::journal_new_change))
       FROM generate_series(1, 10000) AS n`,
    );
    await toggle('ben');
    const first = await read(`?after=${next}&action=user.status.changed&wait=25`);
    expect((JSON.parse(first.text) as JournalPageDto).entries).toEqual([]);
    const [, path = ''] = /^<\/api\/journal(\?[^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await read(path);
    expect([usersOf(JSON.parse(second.text) as JournalPageDto), second.headers.get('link')]).toEqual([['ben'], null]);
  });

  it('waits until there is an entry', async () => {
    const { next } = await page('?after=now');
    const told = page(`?after=${next}&wait=25`);
    await waiting(1);
    await toggle('ben');
    expect(usersOf(await told)).toEqual(['ben']);
  });

  it('waits for a matching entry, and answers each follower by its own filters', async () => {
    const followers = ['', '&user=cyd', '&user=ben&limit=1'].map((filter) => page(`?after=now&wait=25${filter}`));
    const inVain = page('?after=now&wait=2&user=nobody');
    await waiting(4);
    await toggle('ben');
    await toggle('cyd');
    const [all, ofCyd, ofBen] = await Promise.all(followers);
    expect(usersOf(all as JournalPageDto)[0]).toBe('ben');
    expect(usersOf(ofCyd as JournalPageDto)).toEqual(['cyd']);
    expect(usersOf(ofBen as JournalPageDto)).toEqual(['ben']);
    const { entries, next } = await inVain;
    expect(entries).toEqual([]);
    expect(usersOf(await page(`?after=${next}`))).toEqual([]);
  });

  it('returns entries that were polled for other followers before this one began to wait', async () => {
    const { next } = await page('?after=now');
    const { delivered } = FeedCursor.read(next as string) as FeedCursor;
    const leaving = new AbortController();
    const inVain = read(`?after=${next}&wait=25&user=nobody`, { signal: leaving.signal });
    const other = page(`?after=${next}&wait=25`);
    await waiting(2);
    await toggle('ben');
    expect(usersOf(await other)).toEqual(['ben']);

    const actor = { kind: 'user', id: 'ada' } as const;
    const deadline = performance.now() + 10_000;
    const late = { actor, filter: {}, limit: 9, position: { delivered }, deadline };
    const { entries } = await service.app.get(FeedWatch).wait(late, leaving.signal);
    expect(entries.map(({ user }) => user)).toEqual(['ben']);
    leaving.abort();
    await expect(inVain).rejects.toThrow();
    await waiting(0);
  });

  it('waits no longer than the seconds in wait', async () => {
    const { next } = await page('?after=now&wait=1');
    expect(await page(`?after=${next}&wait=0`)).toEqual({ entries: [], next });
  });

  it('holds no connection to the database for a waiting follower', async () => {
    const callers = 3 * service.config.databasePoolSize;
    const { next } = await page('?after=now');
    const followers = Array.from({ length: callers }, () => page(`?after=${next}&wait=25&user=ben`));
    await waiting(callers);
    // Were the connections taken, nobody could be judged, and nothing written.
    await toggle('ben');
    for (const follower of followers) expect(usersOf(await follower)).toEqual(['ben']);
  });

  it('stops waiting when the caller disconnects', async () => {
    const leaving = new AbortController();
    const gone = read('?after=now&wait=25', { signal: leaving.signal });
    await waiting(1);
    leaving.abort();
    await expect(gone).rejects.toThrow();
    await waiting(0);
  });

  it.each([
    ['deactivated', `status = 'inactive'`, `status = 'active'`, 401, UNAUTHENTICATED],
    ['demoted', `type = 'manager'`, `type = 'administrator'`, 403, FORBIDDEN],
  ])('returns nothing to an administrator who is %s meanwhile', async (_, loss, undo, status, text) => {
    const { next } = await page('?after=now');
    const told = read(`?after=${next}&wait=25&user=ben`, { sub: 'zoe' });
    const inVain = read(`?after=${next}&wait=1&user=nobody`, { sub: 'zoe' });
    const others = page(`?after=${next}&wait=25&user=ben`);
    await waiting(3);
    await service.dataSource.query(`UPDATE users SET ${loss} WHERE id = 'zoe'`);
    await toggle('ben');
    expect(await told).toMatchObject({ status, text });
    expect(await inVain).toMatchObject({ status, text });
    expect(usersOf(await others)).toEqual(['ben']);
    await service.dataSource.query(`UPDATE users SET ${undo} WHERE id = 'zoe'`);
  });

  it('judges a service with an id that no record can have by its token', async () => {
    const { next } = await page('?after=now');
    const token = service.tokenOf('a\0b', { scope: service.config.accessTokens.adminScope });
    const told = ask(`${service.url}/api/journal?after=${next}&wait=25&user=ben`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await waiting(1);
    await toggle('ben');
    expect(await told).toMatchObject({ status: 200 });
  });

  it('returns an entry at the second poll at the latest', async () => {
    const looks = jest.spyOn(service.app.get(FeedReader), 'look');
    try {
      for (let turn = 0; turn < 20; turn++) {
        const { next } = await page('?after=now');
        const told = page(`?after=${next}&wait=25`);
        await waiting(1);
        await toggle('ben');
        const before = looks.mock.calls.length;
        expect(usersOf(await told)).toEqual(['ben']);
        expect(looks.mock.calls.length - before).toBeLessThanOrEqual(2);
      }
    } finally {
      looks.mockRestore();
    }
  });

  it('polls once for all waiting followers, and judges them together', async () => {
    const { next } = await page('?after=now');
    const followers = Array.from({ length: 30 }, () => page(`?after=${next}&wait=25&user=ben`));
    await waiting(30);
    const { logger } = service.dataSource;
    const log = StatementLog.of(service.dataSource);
    try {
      await toggle('ben');
      const looks = log.statements.filter((statement) => statement.includes('journal_heads')).length;
      await Promise.all(followers);
      expect(log.statements.filter((statement) => statement.includes('journal_heads')).length - looks).toBeLessThan(4);
      expect(log.statements.filter((statement) => statement.includes('standing_of'))).toHaveLength(1);
    } finally {
      service.dataSource.logger = logger;
    }
  });

  it('polls only for what its followers ask for', async () => {
    const { next } = await page('?after=now');
    const follow = (filter: string) => page(`?after=${next}&wait=25${filter}`);
    const created = follow('&action=user.created');
    const deleted = follow('&action=user.deleted&action=user.status.changed');
    await waiting(2);
    const looks = jest.spyOn(service.app.get(FeedReader), 'look');
    const found = async () => {
      const parts = await Promise.all(looks.mock.results.map(({ value }) => value as ReturnType<FeedReader['look']>));
      return parts.flatMap(({ changes }) => changes).map(({ action, user_ids }) => [action, user_ids?.length]);
    };
    try {
      await change('user.type.changed', 3_000);
      await change('user.created', 1);
      expect(usersOf(await created)).toEqual(['user-1']);
      const unread = [null, undefined];
      expect(await found()).toEqual([unread, unread, unread, ['user.created', 1]]);

      // A follower that asks for everything, or for one user, gets its entries, and the others theirs.
      const [all, ofOne] = [follow('&action=user.type.changed'), follow('&user=user-2999')];
      expect(usersOf(await all)).toHaveLength(50);
      expect(usersOf(await ofOne)).toEqual(['user-2999']);
      await toggle('ben');
      expect(usersOf(await deleted)).toEqual(['ben']);
    } finally {
      looks.mockRestore();
    }
  });

  it('refuses more than a thousand waiting followers, and forgets those that disconnect', async () => {
    const leaving = new AbortController();
    const follower = { actor: { kind: 'user', id: 'ada' }, filter: {}, limit: 1, deadline: Infinity } as const;
    const { delivered } = FeedCursor.read((await page('?after=now')).next as string) as FeedCursor;
    const watch = service.app.get(FeedWatch);
    setMaxListeners(1_001, leaving.signal);
    const others = Array.from({ length: 1_000 }, () =>
      watch.wait({ ...follower, position: { delivered } }, leaving.signal),
    );
    expect(await read('?after=now&wait=25')).toMatchObject({ status: 503 });
    expect((await read('?after=now')).status).toBe(200);
    leaving.abort();
    await Promise.all(others);
    expect(watch.waiting).toBe(0);
  });
});

describe('GET /api/journal?after refuses', () => {
  const cursor = FeedCursor.write({ delivered: new Map([[0, 1n]]) }); // prettier-ignore
  const backwards = JournalCursor.write({ moment: '1', position: 1 });

  it.each([
    ['after', 'after='],
    ['after', 'after=NOW'],
    ['after', 'after=x'],
    ['after', `after=${cursor.slice(0, -1)}`],
    ['after', `after=${cursor}A`],
    ['after', `after=${'A'.repeat(5_000)}`],
    ['after', `after=${cursor}&after=${cursor}`],
    ['after', `after[]=${cursor}`],
    ['after', `after=${backwards}`],
    ['cursor', `cursor=${cursor}`],
    ['cursor', `after=now&cursor=${backwards}`],
    ['cursor', `after=${cursor}&cursor=${backwards}`],
    ['wait', 'after=now&wait='],
    ['wait', 'after=now&wait=26'],
    ['wait', 'after=now&wait=-1'],
    ['wait', 'after=now&wait=1.5'],
    ['wait', 'after=now&wait=x'],
    ['wait', 'after=now&wait=1&wait=1'],
    ['wait', 'wait=1'],
    ['limit', 'after=now&limit=0'],
    ['user', 'after=now&user='],
  ])('an invalid %s: ?%.40s', async (name, query) => {
    expect(await read(`?${query}`)).toMatchObject({
      status: 400,
      text: `{"status":400,"message":"Please give a valid value for the query parameter ${name}."}`,
    });
  });

  it.each([
    ['is ahead of the journal', { delivered: new Map([[5, 10n ** 12n]]) }], // prettier-ignore
    ['is beyond the journal in one chain', { delivered: new Map([[63, 2n ** 62n]]) }], // prettier-ignore
  ])('a cursor that %s, as after a restore from a backup', async (_, position) => {
    expect(await read(`?after=${FeedCursor.write(position)}&wait=25`)).toMatchObject({ status: 400 });
  });

  it('a caller who is not an administrator, before it waits', async () => {
    const stranger = await ask(`${service.url}/api/journal?after=now&wait=25`);
    expect(stranger).toMatchObject({ status: 401, text: UNAUTHENTICATED });
    expect(await read('?after=now&wait=25', { sub: 'max' })).toMatchObject({ status: 403, text: FORBIDDEN });
  });
});

describe('a stopping service', () => {
  it('answers waiting followers, with the cursor to continue from', async () => {
    const told = read('?after=now&wait=25');
    await waiting(1);
    const drained = service.app.get(RequestsUnderWay).drain();
    const { text, headers } = await told;
    const { entries, next } = JSON.parse(text) as JournalPageDto;
    await drained;
    expect(entries).toEqual([]);
    // Entries of the last moment may not have been read.
    expect(headers.get('link')).toBe(`</api/journal?after=${next}&wait=25>; rel="next"`);
    expect(FeedCursor.read(next as string)).toBeDefined();
  });
});
