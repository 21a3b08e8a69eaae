import { PageRoom } from '../../src/answers/page-room';
import { Statements } from '../../src/database/statements';
import type { FeedPosition } from '../../src/journal/feed-cursor';
import { pageOf } from '../../src/journal/feed-page';
import { FeedReader } from '../../src/journal/feed-reader';
import type { FeedWatch } from '../../src/journal/feed-watch';
import { FollowJournalService } from '../../src/journal/follow-journal.service';
import { openMigratedDatabase, useMigratedDatabase } from '../support/migrated-database';

const CHANGES = 4_000;
/** The maximum number of changes of one poll. */
const LOOK = 256;

/** By which chain each change, counted from 1, was written. */
const DISTRIBUTIONS = [
  ['many chains in turn', 'change % 64'],
  ['many chains at random', 'abs(hashint4(change)) % 64'],
  ['many chains, one after the other', 'change * 63 / 4000'],
  ['one busy chain among many', 'CASE WHEN change % 5 > 0 THEN 0 ELSE change / 5 % 64 END'],
  ['one chain', '7'],
] as const;

describe.each(DISTRIBUTIONS)('a follower that is far behind %s', (_, chain) => {
  const database = useMigratedDatabase();
  let reader: FeedReader;

  beforeAll(async () => {
    await database.dataSource.query(`
      INSERT INTO journal_changes (moment, id, number, at, chain, entries, action, actor_kind, actor_id, user_id, hash, bytes)
      OVERRIDING SYSTEM VALUE
      SELECT change, change * 1024, row_number() OVER (PARTITION BY ${chain} ORDER BY change), now(), ${chain}, 1, 'user.created',
        'user', 'ada', 'user ' || change, '', 0
      FROM generate_series(1, ${CHANGES}) AS change`);
    await database.dataSource.query(`
      UPDATE journal_heads SET number = last
      FROM (SELECT chain, max(number) AS last FROM journal_changes GROUP BY chain) AS written
      WHERE written.chain = journal_heads.chain`);
    reader = new FeedReader(new Statements(database.dataSource));
  });

  async function walk(most?: number): Promise<{ ids: number[]; looks: number }> {
    const ids: number[] = [];
    let position: FeedPosition = { delivered: new Map() };
    for (let looks = 1; ; looks++) {
      const { changes, more } = await reader.look(position, { most });
      expect(changes.length).toBeLessThanOrEqual(most ?? LOOK);
      const page = pageOf(changes, position, {}, new PageRoom(LOOK));
      ids.push(...page.entries.map(({ id }) => Number(id)));
      ({ position } = page);
      if (!more) return { ids, looks };
    }
  }

  const inOrder = Array.from({ length: CHANGES }, (_, index) => (index + 1) * 1_024);

  it('reads every change once, in order, in few polls', async () => {
    const { ids, looks } = await walk();
    expect(ids).toEqual(inOrder);
    expect(looks).toBeLessThanOrEqual(Math.ceil(CHANGES / 192));
  });

  it.each([undefined, 1])(
    'refuses a position beyond the end of a chain at once (at most %s changes per poll)',
    async (most) => {
      const ahead: FeedPosition = { delivered: new Map([[63, BigInt(CHANGES) + 1n]]) };
      await expect(reader.look(ahead, { most })).rejects.toMatchObject({ code: 'query.invalid' });
    },
  );

  it('reads no more changes per poll than it asks for', async () => {
    const { ids, looks } = await walk(50);
    expect(ids).toEqual(inOrder);
    expect(looks).toBeLessThanOrEqual((CHANGES / 50) * 2);
  });

  it('first completes a change that was delivered in part, even if older changes wait', async () => {
    const last = (CHANGES - 5) * 1_024;
    const [row] = await database.dataSource.query<{ chain: number; number: string }[]>(
      'SELECT chain, number FROM journal_changes WHERE id = $1',
      [last],
    );
    const { chain = 0, number = '' } = row ?? {};
    const position = { delivered: new Map([[chain, BigInt(number) - 1n]]), partial: { chain, entries: 1 } };
    const { changes } = await reader.look(position);
    expect(Number(changes[0]?.id)).toBe(last);
    expect(changes.length).toBeGreaterThan(1);
    expect(changes.slice(1).map(({ id }) => id)).toEqual(
      changes
        .slice(1)
        .map(({ id }) => id)
        .toSorted((one, other) => Number(one - other)),
    );
  });
});

describe('a follower that is behind by changes of 1,000 users each', () => {
  const USERS = 1_000;
  const BIG = 40;
  const database = useMigratedDatabase();
  let reader: FeedReader;

  beforeAll(async () => {
    await database.dataSource.query(`
      INSERT INTO journal_changes (moment, id, number, at, chain, entries, action, actor_kind, actor_id, user_id, user_ids, hash, bytes)
      OVERRIDING SYSTEM VALUE
      SELECT change, change * 1024, (change + 1) / 2, now(), change % 2, ${USERS}, 'user.type.changed', 'user', 'ada', '1',
        array_agg(one::text ORDER BY one), '', 0
      FROM generate_series(1, ${BIG}) AS change, generate_series(1, ${USERS}) AS one GROUP BY change`);
    await database.dataSource.query('UPDATE journal_heads SET number = $1 WHERE chain < 2', [BIG / 2]);
    reader = new FeedReader(new Statements(database.dataSource));
  });

  it.each([
    [1, 1],
    [USERS, 1],
    [USERS + 1, 2],
    [undefined, 10],
  ])('reads no change after the one that reaches %s entries', async (most, count) => {
    const { changes, more } = await reader.look({ delivered: new Map() }, { most });
    expect(changes.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: count }, (_, index) => (index + 1) * 1_024),
    );
    expect(more).toBe(true);
  });

  it('reads only the place of a change whose action is not asked for, and many of them at once', async () => {
    const asked = await reader.look({ delivered: new Map() }, { actions: ['user.created', 'user.deleted'] });
    expect(asked).toEqual({
      changes: Array.from({ length: BIG }, (_, index) => {
        const [chain, number] = [(index + 1) % 2, BigInt(Math.floor(index / 2) + 1)];
        const unread = { action: null, user_ids: null, bytes: null, workspace_ids: null, after: null, reason: null };
        return expect.objectContaining({ chain, number, ...unread });
      }),
      more: false,
      isLarge: false,
    });
    const { changes } = await reader.look({ delivered: new Map() }, { actions: ['user.created', 'user.type.changed'] });
    expect(changes.map(({ user_ids }) => user_ids?.length)).toEqual(Array(10).fill(USERS));
  });

  it('reads every entry once, in order', async () => {
    const following = new FollowJournalService(reader, {} as FeedWatch);
    const ids: string[] = [];
    const request = { limit: 170, wait: 0 };
    let after: FeedPosition = { delivered: new Map() };
    for (;;) {
      const actor = { kind: 'user', id: 'ada' } as const;
      const turn = { giveBack: () => undefined };
      const { entries, position } = await following.execute(
        { ...request, after },
        actor,
        turn,
        new AbortController().signal,
      );
      if (entries.length === 0) break;
      ids.push(...entries.map(({ id }) => id));
      after = position;
    }
    expect(ids).toHaveLength(BIG * USERS);
    expect(ids).toEqual(
      Array.from({ length: BIG * USERS }, (_, at) => String(1_024 * Math.floor(at / USERS + 1) + (at % USERS))),
    );
  });
});

describe('a journal that has lost changes', () => {
  it.each([
    ['all of a short chain', 3],
    ['all of a long chain', 5_000],
  ])('makes the positions of followers invalid: %s', async (_, newest) => {
    const database = await openMigratedDatabase();
    await database.dataSource.query('UPDATE journal_heads SET number = $1 WHERE chain = 9', [newest]);
    const reader = new FeedReader(new Statements(database.dataSource));
    await expect(reader.look({ delivered: new Map() })).rejects.toMatchObject({ code: 'query.invalid' });
    await expect(reader.look({ delivered: new Map([[9, 6_000n]]) })).rejects.toMatchObject({ code: 'query.invalid' });
    await database.close();
  });

  it('makes the positions of followers invalid: one change before others', async () => {
    const database = await openMigratedDatabase();
    await database.dataSource.query(`
      INSERT INTO journal_changes (moment, id, number, at, chain, entries, action, actor_kind, actor_id, user_id, hash, bytes)
      OVERRIDING SYSTEM VALUE VALUES (2, 2048, 2, now(), 9, 1, 'user.type.changed', 'user', 'ada', 'ben', '', 0)`);
    await database.dataSource.query('UPDATE journal_heads SET number = 2 WHERE chain = 9');
    const reader = new FeedReader(new Statements(database.dataSource));
    await expect(reader.look({ delivered: new Map() })).rejects.toMatchObject({ code: 'query.invalid' });
    expect((await reader.look({ delivered: new Map([[9, 1n]]) })).changes).toHaveLength(1);
    await database.close();
  });
});
