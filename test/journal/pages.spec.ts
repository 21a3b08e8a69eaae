import { type JournalFilter, type JournalPosition, searchFor } from '../../src/journal/journal-search';
import { useMigratedDatabase } from '../support/migrated-database';

const PAGE = 50;
/** An entry, a row of an index for each of two ways to find it, and some to find out where a page begins. */
const READ_AT_MOST = 6 * PAGE;

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
  GROUP BY actor, (n - 1) / 100 ORDER BY min(n)`;

const database = useMigratedDatabase();

beforeAll(async () => {
  await database.dataSource.query(HISTORY);
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
  const own = plan['Node Type'].includes('Scan') && plan['Node Type'] !== 'Subquery Scan';
  const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return (own ? rows : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);
}

/** What a page finds and looks at: a change may have more entries than the page. */
async function read(filter: JournalFilter, olderThan?: JournalPosition): Promise<{ found: number; rows: number }> {
  const { statement, parameters } = searchFor(filter, PAGE, olderThan);
  const [row]: { 'QUERY PLAN': [{ Plan: Plan }] }[] = await database.dataSource.query(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
    parameters,
  );
  const [count]: { found: number }[] = await database.dataSource.query(
    `SELECT coalesce(sum(cardinality(user_ids)), 0)::integer AS found FROM (${statement}) AS page`,
    parameters,
  );
  return { found: count?.found ?? 0, rows: rowsRead(row?.['QUERY PLAN'][0].Plan as Plan) };
}

async function positionOf(change: number): Promise<JournalPosition> {
  const [row]: JournalPosition[] = await database.dataSource.query(
    'SELECT moment, 2 AS position FROM journal_changes ORDER BY moment OFFSET $1 LIMIT 1',
    [change - 1],
  );
  return row as JournalPosition;
}

async function timeOf(change: number): Promise<Date> {
  const [row]: { at: Date }[] = await database.dataSource.query(
    'SELECT at FROM journal_changes ORDER BY moment OFFSET $1 LIMIT 1',
    [change - 1],
  );
  return row?.at as Date;
}

describe('a page of a long journal reads little more than it shows', () => {
  it.each<[string, JournalFilter]>([
    ['everything', {}],
    ['a quiet workspace', { workspace: 'quiet' }],
    ['a quiet workspace, the second of its changes', { workspace: 'quiet-too' }],
    ['a busy workspace', { workspace: 'busy' }],
    ['a busy workspace, the second of its changes', { workspace: 'busy-too' }],
    ['a busy workspace and an actor', { workspace: 'busy-too', actor: 'busy' }],
    ['a quiet actor', { actor: 'quiet' }],
    ['a busy actor', { actor: 'busy' }],
    ['a quiet action', { action: ['user.status.changed'] }],
    ['a busy action', { action: ['user.workspaces.assigned'] }],
    ['a quiet action and a busy one', { action: ['user.status.changed', 'user.workspaces.assigned'] }],
    ['a quiet action and one that nobody took', { action: ['user.status.changed', 'webhook.deleted'] }],
    ['two actions in a quiet workspace', { workspace: 'quiet', action: ['user.status.changed', 'webhook.deleted'] }],
    ['two actions on a user', { user: 'user-1', action: ['user.status.changed', 'user.workspaces.assigned'] }],
    ['a user', { user: 'user-1' }],
    ['a user, the second of its changes', { user: 'user-1-too' }],
    ['a user in a workspace', { user: 'user-1', workspace: 'quiet' }],
  ])('of %s', async (_, filter) => {
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
    ['an action that nobody took', { action: ['webhook.deleted', 'webhook.created'] }],
  ])('nothing, filtered by %s', async (_, filter) => {
    expect(await read(filter)).toEqual({ found: 0, rows: 0 });
  });

  it('a range of time long ago', async () => {
    const [from, to] = [await timeOf(300), await timeOf(400)];
    for (const filter of [{}, { workspace: 'quiet' }, { actor: 'quiet' }]) {
      expect((await read({ ...filter, from, to })).rows).toBeLessThanOrEqual(READ_AT_MOST);
    }
  });
});
