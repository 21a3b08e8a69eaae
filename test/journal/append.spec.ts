import type { DataSource } from 'typeorm';
import type { Attribution } from '../../src/contract/attribution';
import type { NewEntry } from '../../src/journal/new-entry';
import { Journal } from '../../src/journal/journal';
import { ReplicaReads } from '../../src/database/replica-reads';
import { JournalReader } from '../../src/journal/journal-reader';
import { verifyJournal } from '../../src/journal/verify-journal';
import { StatementLog } from '../database/statement-log';
import { type JournalDatabase, openJournalDatabase, promote } from './journal-database';
import { asJudged } from '../support/as-judged';

const ADA = asJudged({ actor: { kind: 'user', id: 'ada' } });
const MANY = 10_000;

let database: JournalDatabase;
let dataSource: DataSource;
const journal = new Journal();

beforeAll(async () => {
  database = await openJournalDatabase();
  dataSource = database.dataSource;
});
afterAll(() => database.close());

const isNoControl = (statement: string) => !/^(START|SET|COMMIT)\b/.test(statement);

async function newest(count: number) {
  return (await new JournalReader(new ReplicaReads(dataSource)).page({}, count)).entries;
}

async function countEntries(): Promise<number> {
  const [row]: { count: number }[] = await dataSource.query('SELECT count(*)::int AS count FROM journal_entries');
  return row?.count ?? 0;
}

describe('an appended entry', () => {
  it('says who did what to whom, by whose leave, why and when', async () => {
    const act: Attribution = {
      actor: { kind: 'service', id: 'help-desk' },
      grantedBy: 'zoe',
      reason: 'Left the company: "off-boarding", 100 %',
      requestId: 'req-1',
    };
    const before = Date.now();
    const ids = await dataSource.transaction((manager) =>
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
      id: ids[0],
      at: expect.any(String),
      action: 'user.workspaces.assigned',
      user: 'ben "the builder", {x}',
      workspaces: ['atlas', 'a,b {c} "d" \\e', 'NULL'],
      before: null,
      after: { workspaces: ['atlas'], groups: ['ätlas-editors'] },
      ...common,
    });
    expect(second).toEqual({
      id: ids[1],
      at: first?.at,
      action: 'user.status.changed',
      user: 'cyd',
      workspaces: [],
      before: { status: 'active' },
      after: { status: 'inactive' },
      ...common,
    });
    expect(Math.abs(Date.parse(first?.at ?? '') - before)).toBeLessThan(60_000);
  });

  it('holds nothing where nothing was said', async () => {
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

  it('goes the way of its transaction', async () => {
    const count = await countEntries();
    const undone = dataSource.transaction(async (manager) => {
      await journal.append(manager, ADA, [{ action: 'user.type.changed', user: 'ben', after: { type: 'member' } }]);
      throw new Error('undone');
    });

    await expect(undone).rejects.toThrow('undone');
    expect(await countEntries()).toBe(count);
    expect(await verifyJournal(dataSource)).toMatchObject({ entries: count, broken: undefined });
  });

  it('is written whatever a token says its subject is', async () => {
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

describe('many entries', () => {
  it('are one statement, keep their order and share a seal', async () => {
    const users = Array.from({ length: MANY }, (_, index) => `user-${index}`);
    const [seals] = (await dataSource.query('SELECT count(*)::int AS count FROM journal_seals')) as [{ count: number }];
    const log = StatementLog.of(dataSource);
    const entries = users.map((user): NewEntry => ({ action: 'user.type.changed', user, after: { type: 'member' } }));
    const ids = await dataSource.transaction((manager) => journal.append(manager, ADA, entries));

    expect(log.take().filter(isNoControl)).toEqual([expect.stringContaining('journal_append')]);
    expect(ids).toHaveLength(MANY);
    expect(ids.map(Number)).toEqual(ids.map(Number).sort((a, b) => a - b));
    const rows: { user_id: string }[] = await dataSource.query(
      'SELECT user_id FROM journal_entries WHERE id = ANY($1) ORDER BY id',
      [ids],
    );
    expect(rows.map((row) => row.user_id)).toEqual(users);
    expect(await dataSource.query('SELECT count(*)::int AS count FROM journal_seals')).toEqual([
      { count: seals.count + 1 },
    ]);
    expect((await verifyJournal(dataSource)).broken).toBeUndefined();
  });

  it('that are none are no statement', async () => {
    const log = StatementLog.of(dataSource);
    expect(await dataSource.transaction((manager) => journal.append(manager, ADA, []))).toEqual([]);
    expect(log.take().filter(isNoControl)).toEqual([]);
  });

  it('can be appended twice in one transaction', async () => {
    await dataSource.transaction(async (manager) => {
      await journal.append(manager, ADA, [{ action: 'user.type.changed', user: 'ben', after: { type: 'member' } }]);
      await journal.append(manager, ADA, [{ action: 'user.type.changed', user: 'ben', after: { type: 'guest' } }]);
    });
    expect((await verifyJournal(dataSource)).broken).toBeUndefined();
  });
});

describe('the journal', () => {
  beforeAll(() => promote(dataSource, ['ben']));

  it.each([
    `UPDATE journal_entries SET reason = 'another'`,
    'UPDATE journal_entries SET reason = reason WHERE false',
    'DELETE FROM journal_entries',
    'TRUNCATE journal_entries',
    'UPDATE journal_seals SET entries = 0',
    'DELETE FROM journal_seals',
    'TRUNCATE journal_seals',
    'TRUNCATE journal_entries, journal_seals, journal_heads',
    `UPDATE journal_workspace_seals SET workspace_id = 'another'`,
    'DELETE FROM journal_workspace_seals',
    'UPDATE journal_heads SET number = number + 2',
    'UPDATE journal_heads SET number = number - 1',
    `UPDATE journal_heads SET hash = ''`,
    'UPDATE journal_heads SET number = number + 1, chain = chain + 100',
    'DELETE FROM journal_heads',
    'INSERT INTO journal_heads (chain) VALUES (100)',
    'TRUNCATE journal_heads',
  ])('refuses: %s', async (statement) => {
    await expect(dataSource.query(statement)).rejects.toThrow(
      /^The journal is append-only: \w+ of journal_\w+ is refused/,
    );
  });

  it('takes no id that somebody chose', async () => {
    const statement = `INSERT INTO journal_entries (id, at, action, actor_kind, actor_id, workspace_ids, chain, seal, position, hash)
      VALUES (1, now(), 'user.type.changed', 'user', 'ada', '{}', 0, 1, 1, '')`;
    await expect(dataSource.query(statement)).rejects.toThrow(/non-DEFAULT value into column "id"/);
  });
});
