import { setMaxListeners } from 'node:events';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { FeedCursor } from '../../src/journal/feed-cursor';
import { FeedReader } from '../../src/journal/feed-reader';
import { FeedWatch } from '../../src/journal/feed-watch';
import { RequestsUnderWay } from '../../src/server/requests-under-way';
import { ask, UNAUTHENTICATED } from '../support/ask';
import { StatementLog } from '../database/statement-log';
import { FollowTrial, FORBIDDEN, usersOf } from './follow-trial';

let trial: FollowTrial;

beforeAll(async () => {
  trial = await FollowTrial.start();
});
afterAll(() => trial.close());

describe('GET /api/journal?after with wait', () => {
  it('waits until there is an entry', async () => {
    const { next } = await trial.page('?after=now');
    const told = trial.page(`?after=${next}&wait=25`);
    await trial.waiting(1);
    await trial.toggle('ben');
    expect(usersOf(await told)).toEqual(['ben']);
  });

  it('waits for a matching entry, and answers each follower by its own filters', async () => {
    const followers = ['', '&user=cyd', '&user=ben&limit=1'].map((filter) => trial.page(`?after=now&wait=25${filter}`));
    const inVain = trial.page('?after=now&wait=5&user=nobody');
    await trial.waiting(4);
    await trial.toggle('ben');
    await trial.toggle('cyd');
    const [all, ofCyd, ofBen] = await Promise.all(followers);
    expect(usersOf(all as JournalPageDto)[0]).toBe('ben');
    expect(usersOf(ofCyd as JournalPageDto)).toEqual(['cyd']);
    expect(usersOf(ofBen as JournalPageDto)).toEqual(['ben']);
    const { entries, next } = await inVain;
    expect(entries).toEqual([]);
    expect(usersOf(await trial.page(`?after=${next}`))).toEqual([]);
  });

  it('returns entries that were polled for other followers before this one began to wait', async () => {
    const { next } = await trial.page('?after=now');
    const { delivered } = FeedCursor.read(next as string) as FeedCursor;
    const leaving = new AbortController();
    const inVain = trial.read(`?after=${next}&wait=25&user=nobody`, { signal: leaving.signal });
    const other = trial.page(`?after=${next}&wait=25`);
    await trial.waiting(2);
    await trial.toggle('ben');
    expect(usersOf(await other)).toEqual(['ben']);

    const actor = { kind: 'user', id: 'ada' } as const;
    const deadline = performance.now() + 10_000;
    const late = { actor, filter: {}, limit: 9, position: { delivered }, deadline };
    const { entries } = await trial.service.app.get(FeedWatch).wait(late, leaving.signal);
    expect(entries.map(({ user }) => user)).toEqual(['ben']);
    leaving.abort();
    await expect(inVain).rejects.toThrow();
    await trial.waiting(0);
  });

  it('waits no longer than the seconds in wait', async () => {
    const { next } = await trial.page('?after=now&wait=1');
    expect(await trial.page(`?after=${next}&wait=0`)).toEqual({ entries: [], next });
  });

  it('holds no connection to the database for a waiting follower', async () => {
    const callers = 3 * trial.service.config.databasePoolSize;
    const { next } = await trial.page('?after=now');
    const followers = Array.from({ length: callers }, () => trial.page(`?after=${next}&wait=25&user=ben`));
    await trial.waiting(callers);
    // Were the connections taken, nobody could be judged, and nothing written.
    await trial.toggle('ben');
    for (const follower of followers) expect(usersOf(await follower)).toEqual(['ben']);
  });

  it('stops waiting when the caller disconnects', async () => {
    const leaving = new AbortController();
    const gone = trial.read('?after=now&wait=25', { signal: leaving.signal });
    await trial.waiting(1);
    leaving.abort();
    await expect(gone).rejects.toThrow();
    await trial.waiting(0);
  });

  it.each([
    ['deactivated', `status = 'inactive'`, `status = 'active'`, 401, UNAUTHENTICATED],
    ['demoted', `type = 'manager'`, `type = 'administrator'`, 403, FORBIDDEN],
  ])('returns nothing to an administrator who is %s meanwhile', async (_, loss, undo, status, text) => {
    const { next } = await trial.page('?after=now');
    const told = trial.read(`?after=${next}&wait=25&user=ben`, { sub: 'zoe' });
    const inVain = trial.read(`?after=${next}&wait=5&user=nobody`, { sub: 'zoe' });
    const others = trial.page(`?after=${next}&wait=25&user=ben`);
    await trial.waiting(3);
    await trial.service.dataSource.query(`UPDATE users SET ${loss} WHERE id = 'zoe'`);
    await trial.toggle('ben');
    expect(await told).toMatchObject({ status, text });
    expect(await inVain).toMatchObject({ status, text });
    expect(usersOf(await others)).toEqual(['ben']);
    await trial.service.dataSource.query(`UPDATE users SET ${undo} WHERE id = 'zoe'`);
  });

  it('judges a service with an id that no record can have by its token', async () => {
    const { next } = await trial.page('?after=now');
    const token = trial.service.tokenOf('a\0b', { scope: trial.service.config.accessTokens.adminScope });
    const told = ask(`${trial.service.url}/api/journal?after=${next}&wait=25&user=ben`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await trial.waiting(1);
    await trial.toggle('ben');
    expect(await told).toMatchObject({ status: 200 });
  });

  it('returns an entry at the second poll at the latest', async () => {
    const looks = jest.spyOn(trial.service.app.get(FeedReader), 'look');
    try {
      for (let turn = 0; turn < 20; turn++) {
        const { next } = await trial.page('?after=now');
        const told = trial.page(`?after=${next}&wait=25`);
        await trial.waiting(1);
        await trial.toggle('ben');
        const before = looks.mock.calls.length;
        expect(usersOf(await told)).toEqual(['ben']);
        expect(looks.mock.calls.length - before).toBeLessThanOrEqual(2);
      }
    } finally {
      looks.mockRestore();
    }
  });

  it('polls once for all waiting followers, and judges them together', async () => {
    const { next } = await trial.page('?after=now');
    const followers = Array.from({ length: 30 }, () => trial.page(`?after=${next}&wait=25&user=ben`));
    await trial.waiting(30);
    const { logger } = trial.service.dataSource;
    const log = StatementLog.of(trial.service.dataSource);
    try {
      await trial.toggle('ben');
      const looks = log.statements.filter((statement) => statement.includes('journal_heads')).length;
      await Promise.all(followers);
      expect(log.statements.filter((statement) => statement.includes('journal_heads')).length - looks).toBeLessThan(4);
      expect(log.statements.filter((statement) => statement.includes('standing_of'))).toHaveLength(1);
    } finally {
      trial.service.dataSource.logger = logger;
    }
  });

  it('polls only for what its followers ask for', async () => {
    const { next } = await trial.page('?after=now');
    const follow = (filter: string) => trial.page(`?after=${next}&wait=25${filter}`);
    const created = follow('&action=user.created');
    const deleted = follow('&action=user.deleted&action=user.status.changed');
    await trial.waiting(2);
    const looks = jest.spyOn(trial.service.app.get(FeedReader), 'look');
    const found = async () => {
      const parts = await Promise.all(looks.mock.results.map(({ value }) => value as ReturnType<FeedReader['look']>));
      return parts.flatMap(({ changes }) => changes).map(({ action, user_ids }) => [action, user_ids?.length]);
    };
    try {
      await trial.change('user.type.changed', 3_000);
      await trial.change('user.created', 1);
      expect(usersOf(await created)).toEqual(['user-1']);
      const unread = [null, undefined];
      expect(await found()).toEqual([unread, unread, unread, ['user.created', 1]]);

      // A follower that asks for everything, or for one user, gets its entries, and the others theirs.
      const [all, ofOne] = [follow('&action=user.type.changed'), follow('&user=user-2999')];
      expect(usersOf(await all)).toHaveLength(50);
      expect(usersOf(await ofOne)).toEqual(['user-2999']);
      await trial.toggle('ben');
      expect(usersOf(await deleted)).toEqual(['ben']);
    } finally {
      looks.mockRestore();
    }
  });

  it.each([
    { limit: 'fifty followers of one caller', ids: ['ada'], followers: 50, isZoeWaiting: true },
    {
      limit: 'a thousand followers',
      ids: Array.from({ length: 40 }, (_, n) => `${n}`),
      followers: 1_000,
      isZoeWaiting: false,
    },
  ])('beyond $limit, the next one is told after a second that there is nothing', async (limited) => {
    const { ids, followers, isZoeWaiting } = limited;
    const leaving = new AbortController();
    const { next } = await trial.page('?after=now');
    const { delivered } = FeedCursor.read(next as string) as FeedCursor;
    const watch = trial.service.app.get(FeedWatch);
    setMaxListeners(followers + 1, leaving.signal);
    const crowd = Array.from({ length: followers }, (_, at) => {
      const actor = { kind: 'user', id: ids[at % ids.length] as string } as const;
      const follower = { actor, filter: { user: 'nobody' }, limit: 1, deadline: Infinity, position: { delivered } };
      return watch.wait(follower, leaving.signal);
    });
    const began = performance.now();
    const surplus = trial.page(`?after=${next}&wait=25`);
    const ofZoe = trial.read(`?after=${next}&wait=25`, { sub: 'zoe' });
    expect(await surplus).toEqual({ entries: [], next });
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(watch.waiting).toBe(followers + (isZoeWaiting ? 1 : 0));
    await trial.toggle('ben');
    const { status, text } = await ofZoe;
    expect([status, usersOf(JSON.parse(text) as JournalPageDto)]).toEqual([200, isZoeWaiting ? ['ben'] : []]);
    leaving.abort();
    await Promise.all(crowd);
    expect(watch.waiting).toBe(0);
  });
});

describe('a stopping service', () => {
  it('answers waiting followers, with the cursor to continue from', async () => {
    const told = trial.read('?after=now&wait=25');
    await trial.waiting(1);
    const drained = trial.service.app.get(RequestsUnderWay).drain();
    const { text, headers } = await told;
    const { entries, next } = JSON.parse(text) as JournalPageDto;
    await drained;
    expect(entries).toEqual([]);
    // Entries of the last moment may not have been read.
    expect(headers.get('link')).toBe(`</api/journal?after=${next}&wait=25>; rel="next"`);
    expect(FeedCursor.read(next as string)).toBeDefined();
  });
});
