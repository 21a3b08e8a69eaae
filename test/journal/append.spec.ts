import type { DataSource } from 'typeorm';
import type { Attribution } from '../../src/contract/attribution';
import type { NewEntry } from '../../src/journal/new-entry';
import { Journal } from '../../src/journal/journal';
import { verifyJournal } from '../../src/journal/verify-journal';
import { StatementLog } from '../database/statement-log';
import { useMigratedDatabase } from '../support/migrated-database';
import { newestEntries, querySealed, sealed } from '../support/sealed';
import { promote } from './promote';
import { asJudged } from '../support/as-judged';

const ADA = asJudged({ actor: { kind: 'user', id: 'ada' } });
const MANY = 10_000;

const database = useMigratedDatabase();
let dataSource: DataSource;
const journal = new Journal();

beforeAll(async () => {
  dataSource = database.dataSource;
});

const isNoControl = (statement: string) => !/^(START|SET|COMMIT)\b/.test(statement);

async function newest(count: number) {
  return newestEntries(dataSource, count);
}

async function count(table: 'journal_entries' | 'journal_changes'): Promise<number> {
  const [row]: { count: number }[] = await querySealed(dataSource, `SELECT count(*)::int AS count FROM ${table}`);
  return row?.count ?? 0;
}

describe('an appended entry', () => {
  it('records the change, its actor, who permitted it, its reason, request and time', async () => {
    const act: Attribution = {
      actor: { kind: 'service', id: 'help-desk' },
      grantedBy: 'zoe',
      reason: 'Left the company: "off-boarding", 100 %',
      requestId: 'req-1',
    };
    const before = Date.now();
    await dataSource.transaction((manager) =>
      journal.append(manager, asJudged(act), [
        {
          action: 'user.workspaces.assigned',
          user: 'ben "the builder", {x}',
          workspaces: ['atlas', 'a,b {c} "d" \\e', 'NULL'],
          after: { workspaces: ['atlas'], groups: ['ätlas-editors'] },
        },
        { action: 'user.status.changed', user: 'cyd', before: { status: 'active' }, after: { status: 'inactive' } },
      ]),
    );

    const [second, first] = await newest(2);
    const common = { actor: act.actor, grantedBy: 'zoe', reason: act.reason, requestId: 'req-1' };
    expect(first).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: expect.any(String),
      action: 'user.workspaces.assigned',
      user: 'ben "the builder", {x}',
      workspaces: ['atlas', 'a,b {c} "d" \\e', 'NULL'],
      before: null,
      after: { workspaces: ['atlas'], groups: ['ätlas-editors'] },
      ...common,
    });
    expect(second).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: first?.at,
      action: 'user.status.changed',
      user: 'cyd',
      workspaces: [],
      before: { status: 'active' },
      after: { status: 'inactive' },
      ...common,
    });
    expect(Number(second?.id)).toBeGreaterThan(Number(first?.id));
    expect(Math.abs(Date.parse(first?.at ?? '') - before)).toBeLessThan(60_000);
  });

  it('has null for everything that is not known', async () => {
    await dataSource.transaction((manager) =>
      journal.append(manager, ADA, [{ action: 'workspace.permissions.changed', after: { permissions: [] } }]),
    );

    const [entry] = await newest(1);
    expect(entry).toMatchObject({
      user: null,
      workspaces: [],
      before: null,
      grantedBy: null,
      reason: null,
      requestId: null,
    });
  });

  it('is left in rows of at most 4 MB and a change, in order', async () => {
    await sealed(dataSource);
    await dataSource.query(`
      SELECT journal_append_changes('system', 'mill', NULL, NULL, NULL, NULL, array_agg(
        ROW('user.updated', ARRAY['user-' || n], NULL, NULL, jsonb_build_object('displayName', repeat(md5(n::text), 400)))::journal_new_change
        ORDER BY n)) FROM generate_series(1, 900) AS n`);
    const rows: { bytes: number; users: string[] }[] = await dataSource.query(`
      SELECT octet_length(array_to_json(changes)::text) AS bytes,
        ARRAY(SELECT user_ids[1] FROM unnest(changes) WITH ORDINALITY AS c (action, user_ids, w, b, a, nth) ORDER BY nth) AS users
      FROM journal_inbox ORDER BY id`);
    expect(rows).toHaveLength(3);
    for (const { bytes } of rows) expect(bytes).toBeLessThan(4_200_000);
    expect(rows.flatMap(({ users }) => users)).toEqual(Array.from({ length: 900 }, (_, n) => `user-${n + 1}`));
    await sealed(dataSource);
  });

  it('is rolled back with its transaction', async () => {
    const before = await count('journal_entries');
    const undone = dataSource.transaction(async (manager) => {
      await journal.append(manager, ADA, [{ action: 'user.type.changed', user: 'ben', after: { type: 'member' } }]);
      throw new Error('undone');
    });

    await expect(undone).rejects.toThrow('undone');
    expect(await count('journal_entries')).toBe(before);
    expect(await verifyJournal(dataSource)).toMatchObject({ entries: before, broken: undefined });
  });

  it('can name any subject of a token, however long or strange', async () => {
    const ids = ['nul\0nul', 'lone \ud800 surrogate', 'long '.repeat(3_000), `${'long '.repeat(2_999)}other`];
    for (const id of ids) {
      await dataSource.transaction((manager) =>
        journal.append(
          manager,
          asJudged({ actor: { kind: 'service', id }, grantedBy: id, reason: `why ${id.slice(0, 20)}` }),
          [{ action: 'user.type.changed', user: 'ben', after: { type: 'member' } }],
        ),
      );
    }

    const entries = await newest(ids.length);
    expect(new Set(entries.map(({ actor }) => actor.id)).size).toBe(ids.length);
    expect(entries.at(-1)?.actor.id).toMatch(/^nul\ufffdnul…sha256:[0-9a-f]{64}$/);
    expect(entries.at(-1)?.reason).toBe('why nul\ufffdnul');
    expect(entries[0]?.grantedBy).toBe(entries[0]?.actor.id);
  });
});

describe('entries of one change', () => {
  const typed = (user: string, type: 'guest' | 'member'): NewEntry => ({
    action: 'user.type.changed',
    user,
    after: { type },
  });

  it('are appended in order with one statement, and one row per thousand users', async () => {
    const users = Array.from({ length: MANY }, (_, index) => `user-${index}`);
    const before = await count('journal_changes');
    const log = StatementLog.of(dataSource);
    await dataSource.transaction((manager) =>
      journal.append(
        manager,
        ADA,
        users.map((user) => typed(user, 'member')),
      ),
    );

    expect(log.take().filter(isNoControl)).toEqual([expect.stringContaining('journal_append')]);
    const rows: { user_id: string }[] = await querySealed(
      dataSource,
      `SELECT user_id FROM (SELECT * FROM journal_entries ORDER BY id DESC LIMIT ${MANY}) AS newest ORDER BY id`,
    );
    expect(rows.map((row) => row.user_id)).toEqual(users);
    expect(await count('journal_changes')).toBe(before + MANY / 1_000);
    expect((await verifyJournal(dataSource)).broken).toBeUndefined();
  });

  it('keep their content, and their order for each user, also if they differ', async () => {
    const before = await count('journal_changes');
    const entries = [
      typed('ann', 'member'),
      typed('ben', 'guest'),
      typed('cyd', 'member'),
      typed('ann', 'guest'),
      typed('ben', 'member'),
    ];
    await dataSource.transaction((manager) => journal.append(manager, ADA, entries));

    const told = (await newest(entries.length)).toReversed();
    for (const user of ['ann', 'ben', 'cyd']) {
      const ofUser = (all: { user?: string | null; after?: unknown }[]) =>
        all.filter((entry) => entry.user === user).map(({ after }) => after);
      expect(ofUser(told)).toEqual(ofUser(entries));
    }
    // Member of ann and cyd, guest of ben, guest of ann, member of ben.
    expect(await count('journal_changes')).toBe(before + 4);
  });

  it('need no statement if there are no entries', async () => {
    const log = StatementLog.of(dataSource);
    await dataSource.transaction((manager) => journal.append(manager, ADA, []));
    expect(log.take().filter(isNoControl)).toEqual([]);
  });

  it('can be appended twice in one transaction', async () => {
    await dataSource.transaction(async (manager) => {
      await journal.append(manager, ADA, [typed('ben', 'member')]);
      await journal.append(manager, ADA, [typed('ben', 'guest')]);
    });
    expect((await verifyJournal(dataSource)).broken).toBeUndefined();
  });
});

describe('the journal', () => {
  beforeAll(async () => {
    await promote(dataSource, ['ben']);
    await sealed(dataSource);
  });

  it.each([
    `UPDATE journal_changes SET actor_id = 'another'`,
    'UPDATE journal_changes SET actor_id = actor_id WHERE false',
    'DELETE FROM journal_changes',
    'DELETE FROM journal_changes_default',
    'TRUNCATE journal_changes',
    'TRUNCATE journal_changes_default',
    'TRUNCATE journal_changes, journal_subjects, journal_pruned',
    `UPDATE journal_subjects SET subject = 'another'`,
    'DELETE FROM journal_subjects',
    'TRUNCATE journal_subjects',
    `UPDATE journal_seals SET hash = ''`,
    'DELETE FROM journal_seals',
    'TRUNCATE journal_seals',
    `UPDATE journal_seals SET snapshot = '1:1:'`,
    'UPDATE journal_pruned SET position = position - 1',
    'UPDATE journal_pruned SET position = position',
    'DELETE FROM journal_pruned',
    'INSERT INTO journal_pruned VALUES (2, 0)',
    'TRUNCATE journal_pruned',
  ])('refuses any change but appending: %s', async (statement) => {
    await expect(dataSource.query(statement)).rejects.toThrow(
      /^The journal is append-only: \w+ of journal_\w+ is refused/,
    );
  });
});
