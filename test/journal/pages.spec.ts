import { Statements } from '@user-administration/postgres';
import type { JournalFilter } from '../../src/journal/journal-filter';
import { JournalReader } from '../../src/journal/journal-reader';
import { sealed } from '../support/sealed';
import { useMigratedDatabase } from '../support/migrated-database';

const PAGE = 50;
/** An entry, a row of an index for each of two ways to find it, and some to find out where a page begins. */
const READ_AT_MOST = 6 * PAGE;
/** In addition, with several filters: what is compared to find the best one, and what it finds is judged by the others. */
const COMPARED_AT_MOST = 3_500;

/**
 * A long journal: at first of one quiet workspace, user, action and actor, then of busy ones, and at last one change to
 * thousands. Of the users and workspaces, some are the first of their change, and some are the second.
 */
const HISTORY = `
  SELECT journal_append_changes('user', actor, NULL, NULL, NULL, NULL, array_agg(
    ROW(action, users, ARRAY[workspace, workspace || '-too'], NULL, NULL)::journal_new_change ORDER BY n
  ))
  FROM (
    SELECT n, CASE WHEN n <= 500 THEN 'quiet' ELSE 'busy' END AS workspace,
      CASE WHEN n <= 500 THEN 'quiet' ELSE 'busy' END AS actor,
      CASE WHEN n <= 500 THEN 'user.status.changed' ELSE 'user.workspaces.assigned' END AS action,
      CASE WHEN n <= 500 THEN ARRAY['user-1', 'user-1-too']
        WHEN n <= 10000 THEN ARRAY['user-' || n % 200, 'user-' || n % 200 || '-too']
        ELSE ARRAY(SELECT 'user-' || m FROM generate_series(1, 5000) AS m) END AS users
    FROM generate_series(1, 10001) AS n
  ) AS change
  WHERE (n - 1) / 100 = $1 GROUP BY actor`;

const database = useMigratedDatabase();

beforeAll(async () => {
  for (let hundred = 0; hundred <= 100; hundred++) {
    await database.dataSource.query(HISTORY, [hundred]);
    await sealed(database.dataSource);
  }
  await database.dataSource.query('ANALYZE');
});

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The rows that a plan has looked at, in tables and indexes alike. */
function rowsRead(plan: Plan): number {
  const own = plan['Node Type'].includes('Scan') && !['Subquery Scan', 'CTE Scan'].includes(plan['Node Type']);
  const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return (own ? rows : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);
}

/** What a page looks at, and the entries that it has. */
async function read(
  filter: JournalFilter,
  isForward: boolean,
  from?: number,
): Promise<{ found: number; rows: number }> {
  const explained = new ExplainedStatements(database.dataSource);
  const reader = new JournalReader(explained);
  const [first, last] = await extent();
  const span = isForward ? { after: from ?? first - 1, until: last } : { after: 0, until: from ?? last };
  const { entries } = await reader.page(filter, span, PAGE, isForward);
  return { found: entries.length, rows: explained.rows };
}

/** Counts the rows that its statements look at. */
class ExplainedStatements extends Statements {
  rows = 0;

  override async query<Rows>(statement: string, values?: unknown[]): Promise<Rows> {
    const [row] = await super.query<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
      values,
    );
    this.rows += rowsRead(row['QUERY PLAN'][0].Plan);
    return super.query(statement, values);
  }
}

async function extent(): Promise<[number, number]> {
  const [row]: [{ first: string; last: string }] = await database.dataSource.query(
    'SELECT (SELECT min(position) FROM journal_changes) AS first, position AS last FROM journal_head',
  );
  return [Number(row.first), Number(row.last)];
}

async function positionOf(change: number): Promise<number> {
  const [row]: [{ position: string }] = await database.dataSource.query(
    'SELECT position FROM journal_changes ORDER BY position OFFSET $1 LIMIT 1',
    [change - 1],
  );
  return Number(row.position);
}

async function timeOf(change: number): Promise<Date> {
  const [row]: [{ at: Date }] = await database.dataSource.query(
    'SELECT at FROM journal_changes ORDER BY position OFFSET $1 LIMIT 1',
    [change - 1],
  );
  return row.at;
}

describe.each([
  ['backwards', false],
  ['forwards', true],
])('a page of a long journal, %s, reads little more than it shows', (_, isForward) => {
  it.each<[string, JournalFilter]>([
    ['everything', {}],
    ['a quiet workspace', { workspace: 'quiet' }],
    ['a quiet workspace, the second of its changes', { workspace: 'quiet-too' }],
    ['a busy workspace', { workspace: 'busy' }],
    ['a busy workspace, the second of its changes', { workspace: 'busy-too' }],
    ['a quiet actor', { actor: 'quiet' }],
    ['a busy actor', { actor: 'busy' }],
    ['a quiet action', { action: ['user.status.changed'] }],
    ['a busy action', { action: ['user.workspaces.assigned'] }],
    ['a quiet action and a busy one', { action: ['user.status.changed', 'user.workspaces.assigned'] }],
    ['a quiet action and one that nobody took', { action: ['user.status.changed', 'webhook.deleted'] }],
    ['a user', { user: 'user-1' }],
    ['a user, the second of its changes', { user: 'user-1-too' }],
  ])('of %s', async (_, filter) => {
    const first = await read(filter, isForward);
    expect(first.found).toBe(PAGE);
    expect(first.rows).toBeLessThanOrEqual(READ_AT_MOST);

    const later = await read(filter, isForward, await positionOf(isForward ? 2_000 : 9_000));
    expect(later.rows).toBeLessThanOrEqual(READ_AT_MOST);
  });

  it.each<[string, JournalFilter]>([
    ['a busy workspace and an actor', { workspace: 'busy-too', actor: 'busy' }],
    ['two actions in a quiet workspace', { workspace: 'quiet', action: ['user.status.changed', 'webhook.deleted'] }],
    ['two actions on a user', { user: 'user-1', action: ['user.status.changed', 'user.workspaces.assigned'] }],
    ['a user in a workspace', { user: 'user-1', workspace: 'quiet' }],
  ])('of %s, and compares a few hundred for each filter', async (_, filter) => {
    const page = await read(filter, isForward);
    expect(page.found).toBe(PAGE);
    expect(page.rows).toBeLessThanOrEqual(READ_AT_MOST + COMPARED_AT_MOST);
  });

  it.each<[string, JournalFilter]>([
    ['an unknown workspace', { workspace: 'nowhere' }],
    ['an unknown user', { user: 'nobody' }],
    ['an unknown actor', { actor: 'nobody' }],
    ['an action that nobody took', { action: ['webhook.deleted', 'webhook.created'] }],
  ])('nothing, filtered by %s', async (_, filter) => {
    const { found, rows } = await read(filter, isForward);
    expect([found, rows <= 10]).toEqual([0, true]);
  });

  it('a range of time long ago', async () => {
    const [from, to] = [await timeOf(300), await timeOf(400)];
    for (const filter of [{}, { workspace: 'quiet' }, { actor: 'quiet' }]) {
      expect((await read({ ...filter, from, to }, isForward)).rows).toBeLessThanOrEqual(
        READ_AT_MOST + COMPARED_AT_MOST,
      );
    }
  });

  it('two filters that match no change together: it ends after 10,000 changes', async () => {
    const filter = { actor: 'busy', workspace: 'busy', action: ['user.workspaces.assigned'], to: new Date(0) } as const;
    expect((await read(filter, isForward)).rows).toBeLessThanOrEqual(READ_AT_MOST + COMPARED_AT_MOST);
    const never = { user: 'user-1', actor: 'quiet', workspace: 'busy' };
    expect((await read(never, isForward)).rows).toBeLessThanOrEqual(25_000);
  });
});
