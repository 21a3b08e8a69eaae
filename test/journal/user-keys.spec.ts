import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL_ROOT } from '../../src/database/migrate';
import { APPEND_LAST } from '../../src/database/rule';
import { Journal } from '../../src/journal/journal';
import type { NewEntry } from '../../src/journal/new-entry';
import { verifyJournal } from '../../src/journal/verify-journal';
import { userDeleted, userRenamed } from '../../src/users/user-facts';
import { asJudged } from '../support/as-judged';
import { type MigratedDatabase, openMigratedDatabase } from '../support/migrated-database';
import { newestEntries, sealed } from '../support/sealed';
import { migrate } from '../support/whole-schema';

const sqlOf = (name: string) => readFileSync(join(SQL_ROOT, `journal/sql/${name}.sql`), 'utf8');
const SEAL = sqlOf('seal_journal');
/** What sealing with keys has, and what sealing without keys had. */
const WITHOUT_KEYS: [now: string, before: string][] = [
  [`'change/2'`, `'change/1'`],
  [' keys[1], CASE WHEN entries > 1 THEN keys END,', ''],
  ['user_key, user_keys, ', ''],
  ['t.changes, t.user_keys', 't.changes'],
  ['before, after, keys, nth', 'before, after, nth'],
  ['c.keys, ', ''],
  ['concat(array_to_json(user_ids), array_to_json(keys))', 'array_to_json(user_ids)::text'],
  ['lag, version)', 'lag)'],
  ['at - oldest), 2', 'at - oldest)'],
];

let database: MigratedDatabase;

beforeEach(async () => {
  database = await openMigratedDatabase();
  await database.directory.workspace('atlas');
});
afterEach(() => database.close());

const query = <Rows>(statement: string, parameters?: unknown[]): Promise<Rows> =>
  database.dataSource.query<Rows>(statement, parameters);

const tell = (entries: readonly NewEntry[], reason?: string) =>
  database.dataSource.transaction((manager) =>
    new Journal().append(manager, asJudged({ actor: { kind: 'system', id: 'a test' }, reason }), entries),
  );

async function create(id: string, displayName: string): Promise<void> {
  await query('INSERT INTO users (id, display_name) VALUES ($1, $2)', [id, displayName]);
  const facts = { email: null, displayName, status: 'active', permissions: [], workspaces: [], groups: [] } as const;
  await tell([{ action: 'user.created', user: id, after: facts }]);
}

async function rename(id: string, to: string): Promise<void> {
  await query('UPDATE users SET id = $2 WHERE id = $1', [id, to]);
  await tell([userRenamed(id, to)]);
}

async function remove(id: string): Promise<void> {
  const facts = {
    email: null,
    displayName: 'Gone',
    status: 'active',
    permissions: [],
    workspaces: [],
    groups: [],
  } as const;
  await tell([userDeleted(id, facts)]);
  await query('DELETE FROM users WHERE id = $1', [id]);
}

/** Each becomes a member of Atlas, all by one change. */
async function assign(...users: string[]): Promise<void> {
  await query(
    `INSERT INTO workspace_memberships (user_key, workspace_key) SELECT u.key, w.key FROM users AS u, workspaces AS w
     WHERE u.id = ANY ($1) ON CONFLICT DO NOTHING`,
    [users],
  );
  const after = { workspaces: ['atlas'], groups: [] };
  await tell(
    users.map((user) => ({ action: 'user.workspaces.assigned', user, workspaces: ['atlas'], after })),
    'A private matter',
  );
}

/** Ann is a, b, c and gone. Abe is a. Bea was b and is gone. Bob is b, and was d in between. */
async function live(): Promise<void> {
  await create('a', 'Ann');
  await rename('a', 'b');
  await create('a', 'Abe');
  await rename('b', 'c');
  await create('b', 'Bea');
  await assign('a', 'b', 'c');
  await remove('b');
  await tell([{ action: 'user.erased', user: 'b' }]);
  await create('b', 'Bob');
  await rename('b', 'd');
  await assign('d');
}

async function liveOn(): Promise<void> {
  await rename('d', 'b');
  await remove('c');
}

const LIVES = [
  'user.created a: gone 1',
  'user.renamed a: gone 1',
  'user.created a: Abe',
  'user.renamed b: gone 1',
  'user.created b: gone 2',
  'user.workspaces.assigned a: Abe',
  'user.workspaces.assigned b: gone 2',
  'user.workspaces.assigned c: gone 1',
  'user.deleted b: gone 2',
  'user.erased b: nobody',
  'user.created b: Bob',
  'user.renamed b: Bob',
  'user.workspaces.assigned d: Bob',
  'user.renamed d: Bob',
  'user.deleted c: gone 1',
];

/** Each entry, oldest first: the action, the id, and who it was. */
async function told(): Promise<string[]> {
  const rows: { action: string; id: string; key: string | null; name: string | null }[] = await query(
    `SELECT action, told.id, told.key, display_name AS name FROM journal_changes AS c
     CROSS JOIN LATERAL unnest(COALESCE(user_ids, ARRAY[user_id]), COALESCE(user_keys, ARRAY[user_key]))
       WITH ORDINALITY AS told (id, key, nth)
     LEFT JOIN users AS u ON u.key = told.key ORDER BY position, nth`,
  );
  const gone: string[] = [];
  return rows.map(({ action, id, key, name }) => {
    if (key === null) return `${action} ${id}: nobody`;
    if (name === null && !gone.includes(key)) gone.push(key);
    return `${action} ${id}: ${name ?? `gone ${gone.indexOf(key) + 1}`}`;
  });
}

/** The entries that a reader finds for a user, oldest first. */
const historyOf = async (user: string) =>
  (await newestEntries(database.dataSource, 100, { user })).toReversed().map(({ action, user }) => `${action} ${user}`);

const OF_B = [
  'user.renamed b',
  'user.created b',
  'user.workspaces.assigned b',
  'user.deleted b',
  'user.erased b',
  'user.created b',
  'user.renamed b',
  'user.workspaces.assigned d',
  'user.renamed d',
];
const OF_C = ['user.created a', 'user.renamed a', 'user.renamed b', 'user.workspaces.assigned c', 'user.deleted c'];

const versions = () =>
  query('SELECT version, count(*)::integer FROM journal_seals WHERE position > 0 GROUP BY 1 ORDER BY 1');

it('new entries keep the keys of users, and their hash covers the keys', async () => {
  await live();
  await liveOn();
  await sealed(database.dataSource);
  expect(await told()).toEqual(LIVES);
  expect(await versions()).toEqual([{ version: 2, count: expect.any(Number) as number }]);
  expect([await historyOf('b'), await historyOf('c')]).toEqual([OF_B, OF_C]);
  expect((await verifyJournal(database.dataSource)).broken).toBeUndefined();
});

it('a change that gets its place in the inbox again, after a rule was asked, keeps its keys', async () => {
  await create('a', 'Ann');
  await database.dataSource.transaction(async (manager) => {
    await manager.query(`UPDATE users SET id = 'b'`);
    await new Journal().append(manager, asJudged({ actor: { kind: 'system', id: 'a test' } }), [userRenamed('a', 'b')]);
    await manager.query(APPEND_LAST);
  });
  await sealed(database.dataSource);
  expect(await told()).toEqual(['user.created a: Ann', 'user.renamed a: Ann']);
});

it('a change of thousands of users, in several rows, keeps the key of each', async () => {
  const ids = Array.from({ length: 2_500 }, (_, index) => `user-${index}`);
  await query('INSERT INTO users (id) SELECT unnest($1::text[])', [ids]);
  await tell(ids.map((user): NewEntry => ({ action: 'user.status.changed', user, before: { status: 'active' } })));
  await tell(ids.map((user, n): NewEntry => ({ action: 'user.updated', user, after: { displayName: `User ${n}` } })));
  await sealed(database.dataSource);
  expect(
    await query(
      `SELECT count(*)::integer FROM journal_changes
       CROSS JOIN LATERAL unnest(COALESCE(user_ids, ARRAY[user_id]), COALESCE(user_keys, ARRAY[user_key])) AS told (id, key)
       JOIN users AS u ON u.id = told.id AND u.key = told.key`,
    ),
  ).toEqual([{ count: 5_000 }]);
  expect((await verifyJournal(database.dataSource)).broken).toBeUndefined();
});

describe('entries of a database that knew no keys', () => {
  beforeEach(async () => {
    const before = WITHOUT_KEYS.reduce((text, [now, then]) => text.replaceAll(now, then), SEAL);
    expect(before.slice(before.indexOf('LANGUAGE'))).not.toMatch(/keys|user_key|version/);
    await query(before);
    await live();
    await sealed(database.dataSource);
    // The rest is in the inbox.
    await liveOn();
    await database.dataSource.undoLastMigration();
    await migrate(database.dataSource);
    await query(SEAL);
    // This session has compiled it with a type that the way back has dropped.
    await query(sqlOf('journal_append_changes'));
  });

  it('get the keys of those whom they meant, of whom each who was deleted gets one that nobody else has', async () => {
    // What was told of an id while nobody bore it counts for the next who got it.
    expect(await told()).toEqual(LIVES.map((line) => line.replace('user.erased b: nobody', 'user.erased b: Bob')));
    expect(await versions()).toEqual([{ version: 1, count: expect.any(Number) as number }]);
    expect([await historyOf('b'), await historyOf('c')]).toEqual([OF_B, OF_C]);
    await create('e', 'Eve');
    expect(
      await query(`SELECT FROM users JOIN journal_changes ON key = user_key WHERE users.id = 'e' AND user_id <> 'e'`),
    ).toEqual([]);
  });

  it('are verified beside new ones, and the triggers that protect them are back', async () => {
    await create('e', 'Eve');
    await remove('e');
    expect((await verifyJournal(database.dataSource)).broken).toBeUndefined();
    expect(await versions()).toHaveLength(2);
    await expect(query('UPDATE journal_changes SET user_key = 7')).rejects.toThrow('append-only');
    await query('ALTER TABLE journal_seals DISABLE TRIGGER USER');
    await query('UPDATE journal_seals SET version = 1');
    expect((await verifyJournal(database.dataSource)).broken).toMatch(/do not fit their seal/);
  });

  it('are erased, and a verification excuses what is missing from those of no one else', async () => {
    await tell([{ action: 'user.erased', user: 'a' }]);
    await sealed(database.dataSource);
    await query(`SELECT erase_personal('a', (SELECT max(position) FROM journal_changes))`);
    const kept: { name: string }[] = await query(
      `SELECT DISTINCT COALESCE(before, after) ->> 'displayName' AS name FROM journal_personal
       WHERE COALESCE(before, after) ? 'displayName' ORDER BY name`,
    );
    // Bea was deleted as b, which Ann was as well.
    expect(kept.map(({ name }) => name)).toEqual(['Abe', 'Bea', 'Bob', 'Gone']);
    expect(await query(`SELECT DISTINCT reason FROM journal_personal WHERE reason IS NOT NULL`)).toHaveLength(1);
    expect((await verifyJournal(database.dataSource)).broken).toBeUndefined();
    await query(`DELETE FROM journal_personal WHERE after ->> 'displayName' = 'Abe'`);
    expect((await verifyJournal(database.dataSource)).broken).toMatch(/its reason or personal facts are missing/);
  });

  it('are undone for those whom they meant', async () => {
    const [{ position }]: [{ position: string }] = await query(
      `SELECT position FROM journal_changes WHERE action = 'user.workspaces.assigned' ORDER BY position LIMIT 1`,
    );
    const [undone] = await query<[object]>(
      `SELECT outcome, undone, unassigned FROM undo_request($1, NULL, false, '{}', 'nobody', 'system', 'a test', NULL, NULL, NULL, NULL)`,
      [position],
    );
    expect(undone).toEqual({ outcome: 'done', undone: true, unassigned: 1 });
    // Neither Bob, who has Bea's id, nor by his own assignment.
    expect(await query(`SELECT id FROM workspace_memberships JOIN users ON key = user_key`)).toEqual([{ id: 'b' }]);
  });
});
