import type { JournalFilter, JournalPosition } from '../../src/journal/journal-search';
import { searchFor } from '../../src/journal/journal-search';
import { type JournalDatabase, openJournalDatabase } from './journal-database';

const PAGE = 50;
/** An entry, a row of an index, and some to find out where a page begins. */
const READ_AT_MOST = 6 * PAGE;

/** A long journal: at first of one quiet workspace, user, action and actor, then of busy ones, and at last one of thousands. */
const HISTORY = `
  SELECT journal_append('user', actor, NULL, NULL, NULL, array_agg(
    ROW(action, 'user-' || n % users, ARRAY[workspace], NULL, NULL)::journal_new_entry ORDER BY n
  ))
  FROM (
    SELECT n, CASE WHEN n <= 500 THEN 1 ELSE 200 END AS users, CASE WHEN n <= 500 THEN 'quiet' ELSE 'busy' END AS workspace,
      CASE WHEN n <= 500 THEN 'quiet' ELSE 'busy' END AS actor,
      CASE WHEN n <= 500 THEN 'user.status.changed' ELSE 'user.workspaces.assigned' END AS action,
      LEAST(n, 10000) AS seal
    FROM generate_series(1, 15000) AS n
  ) AS entry
  GROUP BY seal, actor, action ORDER BY seal`;

let database: JournalDatabase;

beforeAll(async () => {
  database = await openJournalDatabase();
  await database.dataSource.query(HISTORY);
  await database.dataSource.query('ANALYZE');
});
afterAll(() => database.close());

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The rows that a plan has looked at, in tables and indexes alike. */
function rowsRead(plan: Plan): number {
  const own = plan['Node Type'].includes('Scan') && plan['Node Type'] !== 'Subquery Scan';
  const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return (own ? rows : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);
}

async function read(filter: JournalFilter, olderThan?: JournalPosition): Promise<{ found: number; rows: number }> {
  const { source, order, parameters } = searchFor(filter, PAGE, olderThan);
  const [row]: { 'QUERY PLAN': [{ Plan: Plan }] }[] = await database.dataSource.query(
    `EXPLAIN (ANALYZE, FORMAT JSON) SELECT entry.* FROM ${source} ORDER BY ${order} LIMIT ${PAGE}`,
    parameters,
  );
  const plan = row?.['QUERY PLAN'][0].Plan as Plan;
  return { found: plan['Actual Rows'], rows: rowsRead(plan) };
}

async function positionOf(id: number): Promise<JournalPosition> {
  const [row]: JournalPosition[] = await database.dataSource.query('SELECT id, at FROM journal_entries WHERE id = $1', [
    id,
  ]);
  return row as JournalPosition;
}

describe('a page of a long journal reads little more than it shows', () => {
  it.each<[string, JournalFilter]>([
    ['everything', {}],
    ['a quiet workspace', { workspace: 'quiet' }],
    ['a busy workspace', { workspace: 'busy' }],
    ['a quiet actor', { actor: 'quiet' }],
    ['a busy actor', { actor: 'busy' }],
    ['a quiet action', { action: 'user.status.changed' }],
    ['a busy action', { action: 'user.workspaces.assigned' }],
    ['a user', { user: 'user-7' }],
    ['a user in a workspace', { user: 'user-7', workspace: 'busy' }],
  ])('%s', async (_, filter) => {
    const first = await read(filter);
    expect(first.found).toBe(PAGE);
    expect(first.rows).toBeLessThanOrEqual(READ_AT_MOST);

    const later = await read(filter, await positionOf(9_000));
    expect(later.rows).toBeLessThanOrEqual(READ_AT_MOST);
  });

  it.each<[string, JournalFilter]>([
    ['an unknown workspace', { workspace: 'nowhere' }],
    ['an unknown user', { user: 'nobody' }],
    ['an unknown actor', { actor: 'nobody' }],
    ['an action that nobody took', { action: 'webhook.deleted' }],
  ])('nothing of %s', async (_, filter) => {
    expect(await read(filter)).toEqual({ found: 0, rows: 0 });
  });

  it('a span of time long ago', async () => {
    const [from, to] = [(await positionOf(300)).at, (await positionOf(400)).at];
    for (const filter of [{}, { workspace: 'quiet' }, { actor: 'quiet' }]) {
      expect((await read({ ...filter, from, to })).rows).toBeLessThanOrEqual(READ_AT_MOST);
    }
  });
});
