import { ExplainPermissionsService } from '../../src/users/explain-permissions.service';
import { useTestService } from '../support/test-service';

const PERMISSIONS = 300;
const CHANGES = 100;
/** Blocks for each source: its rows, its change and some index pages. */
const BLOCKS = 12;

const ids = Array.from({ length: PERMISSIONS }, (_, index) => `p${index + 1}`);
const service = useTestService();

beforeAll(async () => {
  await service.dataSource.query(
    `INSERT INTO permissions (id, grants) SELECT 'p' || n, 'member' FROM generate_series(1, $1) AS n`,
    [PERMISSIONS],
  );
  await service.directory.workspace('atlas', ids);
  await service.directory.group('team', 'atlas', ids);
  await service.directory.user('ben');
  await service.directory.member('ben', 'atlas', ['team']);
  await service.dataSource.query('ANALYZE');
});

/** The user joins, the workspace and the group receive all permissions, and then only the first comes and goes. */
const HISTORY = `
  SELECT journal_append_changes('user', 'ada', NULL, NULL, NULL, NULL, ARRAY[ROW('user.workspaces.assigned', ARRAY['ben'], ARRAY['atlas'],
      NULL, '{"workspaces": ["atlas"], "groups": ["team"]}')::journal_new_change] || array_agg(change ORDER BY n))
  FROM (
    SELECT n, CASE WHEN n = 1 THEN '{}' WHEN n % 2 = 0 THEN $1::text[] ELSE ($1::text[])[2:] END AS before,
      CASE WHEN n % 2 = 1 THEN $1::text[] ELSE ($1::text[])[2:] END AS after
    FROM generate_series(1, $2) AS n
  ) AS lists
  CROSS JOIN LATERAL (VALUES ('workspace', '{}'::jsonb), ('group', '{"group": "team"}')) AS place (kind, named)
  CROSS JOIN LATERAL (
    SELECT ROW(kind || '.permissions.changed', NULL, ARRAY['atlas'], named || jsonb_build_object('permissions', before),
      named || jsonb_build_object('permissions', after))::journal_new_change AS change
  ) AS entry`;

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

async function blocksRead(user: string): Promise<number> {
  const [row]: { 'QUERY PLAN': [{ Plan: Plan }] }[] = await service.dataSource.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
     SELECT source.* FROM users CROSS JOIN LATERAL permission_sources(users.key, NULL, ${PERMISSIONS}, 20, 4194304) AS source WHERE users.id = $1`,
    [user],
  );
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row?.['QUERY PLAN'][0].Plan as Plan;
  return hit + read;
}

it('the origins of permissions are looked up by their changes, however many more there were', async () => {
  const before = await blocksRead('ben');
  await service.dataSource.query(HISTORY, [ids, CHANGES]);
  await service.dataSource.query('SELECT seal_journal(true, NULL)');
  await service.dataSource.query('ANALYZE');
  const { permissions } = await service.app.get(ExplainPermissionsService).execute('ben', { limit: PERMISSIONS });
  expect(permissions).toHaveLength(PERMISSIONS);
  expect(before).toBeLessThan(BLOCKS * 2 * PERMISSIONS);
  expect(await blocksRead('ben')).toBeLessThan(before * 1.5);
});
