import { holdersOf } from '../../src/directory/affected-users';
import { USER_FILTERS } from '../../src/records/list-filters';
import { makesAdministrators } from '../../src/plugins/scim/protected-administrators.rule';
import { useTestService } from '../support/test-service';

const service = useTestService();
const query = <Row>(statement: string, parameters: unknown[] = []): Promise<Row[]> =>
  service.dataSource.query(statement, parameters);

/** A row of one in so many, always the same. */
const chance = (one: number, ...parts: string[]) => `abs(hashtext(concat_ws(' ', ${parts.join(', ')}))) % ${one} = 0`;

/** Users who hold, in each way and in several at once, none to all of the permissions; each of the last users is in one group alone. */
beforeAll(async () => {
  const statements = [
    `INSERT INTO permissions (id, grants) SELECT 'p' || n, (enum_range(NULL::user_type))[1 + n % 4] FROM generate_series(0, 7) AS n`,
    `INSERT INTO workspaces (id, name) SELECT 'w' || n, 'W' FROM generate_series(1, 6) AS n`,
    `INSERT INTO groups (id, name, workspace_key) SELECT w.id || '-g' || n, 'G', w.key FROM workspaces AS w, generate_series(1, 3) AS n`,
    `INSERT INTO users (id) SELECT 'u' || n FROM generate_series(1, 60) AS n UNION ALL SELECT 'only ' || id FROM groups`,
    `INSERT INTO user_permissions (user_key, permission_key)
     SELECT u.key, p.key FROM users AS u, permissions AS p WHERE u.id ~ '^u' AND ${chance(15, 'u.id', 'p.id')}`,
    ...['workspace', 'group'].map(
      (place) => `INSERT INTO ${place}_permissions (${place}_key, permission_key)
        SELECT x.key, p.key FROM ${place}s AS x, permissions AS p WHERE ${chance(11, 'x.id', 'p.id')}`,
    ),
    `INSERT INTO workspace_memberships (user_key, workspace_key) SELECT u.key, w.key FROM users AS u, workspaces AS w
     WHERE u.id ~ '^u' AND ${chance(5, 'u.id', 'w.id')} OR starts_with(u.id, 'only ' || w.id)`,
    `INSERT INTO group_memberships (user_key, workspace_key, group_key) SELECT m.user_key, g.workspace_key, g.key
     FROM workspace_memberships AS m JOIN groups AS g USING (workspace_key) JOIN users AS u ON u.key = m.user_key
     WHERE u.id ~ '^u' AND ${chance(3, 'u.id', 'g.id')} OR u.id = 'only ' || g.id`,
  ];
  for (const statement of statements) await query(statement);
});

const HELD = `held_permissions() AS held JOIN users AS u ON u.key = user_key JOIN permissions AS p ON p.key = permission_key`;

describe('what a user effectively holds', () => {
  it('is by no way, one way or several', async () => {
    const ways = await query<{ ways: number }>(
      `SELECT DISTINCT LEAST(count(permission_key), 3)::int AS ways FROM users LEFT JOIN held_permissions() ON user_key = key
       GROUP BY key, permission_key ORDER BY 1`,
    );
    expect(ways).toEqual([{ ways: 0 }, { ways: 1 }, { ways: 2 }, { ways: 3 }]);
  });

  it('derives the type', async () => {
    const derived = await query('SELECT key, type FROM derive_user_types(ARRAY(SELECT key FROM users)) ORDER BY key');
    expect(derived).toEqual(
      await query(`SELECT u.key, COALESCE(max(p.grants), 'guest') AS type FROM users AS u
        LEFT JOIN held_permissions() ON user_key = u.key LEFT JOIN permissions AS p ON p.key = permission_key
        GROUP BY u.key ORDER BY u.key`),
    );
  });

  it('is explained', async () => {
    const explained = await query(
      `SELECT u.id, permission, count(*)::int AS ways
       FROM users AS u CROSS JOIN LATERAL permission_sources(u.key, NULL, 200, 100, 4000000)
       GROUP BY u.id, permission ORDER BY 1, 2`,
    );
    expect(explained).toEqual(
      await query(
        `SELECT u.id, p.id AS permission, count(*)::int AS ways FROM ${HELD} GROUP BY u.id, p.id ORDER BY 1, 2`,
      ),
    );
  });

  it.each(Array.from({ length: 8 }, (_, n) => `p${n}`))(
    'is found by the filter of a list and by a change of %s',
    async (id) => {
      const holders = await query(`SELECT DISTINCT u.id FROM ${HELD} WHERE p.id = $1 ORDER BY u.id`, [id]);
      const { probe, keys = '' } = USER_FILTERS.permission(id);
      for (const condition of [probe, `record.key IN (${keys})`]) {
        const filter = `SELECT id FROM users AS record WHERE ${condition.replaceAll(':permission', '$1')} ORDER BY id`;
        expect(await query(filter, [id])).toEqual(holders);
      }
      const [permission] = await query<{ key: string }>('SELECT key FROM permissions WHERE id = $1', [id]);
      const { statement, parameters } = holdersOf(permission?.key ?? '');
      expect(await query(`SELECT id FROM users WHERE key IN (${statement}) ORDER BY id`, parameters)).toEqual(holders);
    },
  );

  it('says whether a group makes administrators', async () => {
    const makes = `SELECT g.id, ${makesAdministrators('g.key', 'g.workspace_key')} AS makes FROM groups AS g ORDER BY g.id`;
    expect(await query(makes)).toEqual(
      await query(`SELECT g.id, EXISTS (SELECT FROM ${HELD} WHERE u.id = 'only ' || g.id AND p.grants = 'administrator') AS makes
        FROM groups AS g ORDER BY g.id`),
    );
  });
});
