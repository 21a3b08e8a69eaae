import { setMaxListeners } from 'node:events';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { FollowerCursor } from '../../src/journal/follower-cursor';
import { WaitingFollowers } from '../../src/journal/waiting-followers';
import { RequestsUnderWay } from '@user-administration/http';
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
    const cursor = FollowerCursor.read(next as string) as FollowerCursor;
    const leaving = new AbortController();
    const inVain = trial.read(`?after=${next}&wait=25&user=nobody`, { signal: leaving.signal });
    const other = trial.page(`?after=${next}&wait=25`);
    await trial.waiting(2);
    await trial.toggle('ben');
    expect(usersOf(await other)).toEqual(['ben']);

    const actor = { kind: 'user', id: 'ada' } as const;
    const late = { actor, filter: {}, limit: 9, cursor, waitMs: 10_000 };
    const { entries } = await trial.service.app.get(WaitingFollowers).wait(late, leaving.signal);
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

  it('reads once for all waiting followers, and judges them together', async () => {
    const { next } = await trial.page('?after=now');
    const followers = Array.from({ length: 30 }, () => trial.page(`?after=${next}&wait=25&user=ben`));
    await trial.waiting(30);
    const { logger } = trial.service.dataSource;
    const log = StatementLog.of(trial.service.dataSource);
    try {
      await trial.toggle('ben');
      await Promise.all(followers);
      expect(log.statements.filter((statement) => statement.includes('matching AS'))).toHaveLength(1);
      expect(log.statements.filter((statement) => /FROM users WHERE id/.test(statement)).length).toBeLessThan(5);
    } finally {
      trial.service.dataSource.logger = logger;
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
    const cursor = FollowerCursor.read(next as string) as FollowerCursor;
    const watch = trial.service.app.get(WaitingFollowers);
    setMaxListeners(followers + 1, leaving.signal);
    const crowd = Array.from({ length: followers }, (_, at) => {
      const actor = { kind: 'user', id: ids[at % ids.length] as string } as const;
      const follower = { actor, filter: { user: 'nobody' }, limit: 1, waitMs: 60_000, cursor };
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

describe('a follower that waits through a failover that has lost its last entry', () => {
  const LOST = { status: 410, text: '{"status":410,"message":"This cursor is of another journal."}' };

  it.each([
    ['shorter', 0],
    ['as long', 1],
    ['longer', 3],
  ])('is refused, if the journal is %s afterwards', async (_length, gained) => {
    await trial.toggle('ben');
    const { next } = await trial.page('?after=now');
    await trial.toggle('ben');
    const { next: lost } = await trial.page('?after=now');
    const queries = [`after=${lost}&wait=25`, 'after=now&wait=25', `after=${lost}&wait=3&user=nobody`];
    const told = queries.map((query) => trial.read(`?${query}`));
    await trial.waiting(3);
    await trial.failOver(gained);
    for (const answer of await Promise.all(told)) expect(answer).toMatchObject(LOST);
    // The entries that are left can be followed.
    expect(usersOf(await trial.page(`?after=${next}`))).toEqual(Array(gained).fill('cyd'));
  });
});

it('sealing rests between two batches while nobody waits for them', async () => {
  const seals = async () => (await trial.service.dataSource.query<unknown[]>('SELECT FROM journal_seals')).length;
  await trial.waiting(0);
  const before = await seals();
  const began = performance.now();
  for (let change = 0; change < 40; change++) await trial.toggle('ben');
  expect((await seals()) - before).toBeLessThan((performance.now() - began) / 50 + 2);
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
    expect(headers.get('link')).toBeNull();
    expect(FollowerCursor.read(next as string)).toBeDefined();
  });
});
