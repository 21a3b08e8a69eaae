import { LIMITS } from '../../src/contract/limits';
import type { HeldPermissionsDto } from '../../src/users/dto/held-permissions.dto';
import type { MembershipPageDto } from '../../src/users/dto/memberships.dto';
import { useTestService } from '../support/test-service';
import { costly, getPage, numberIn, walkPages } from '../support/walk-pages';

const service = useTestService();

beforeAll(() => service.directory.user('ada', { type: 'administrator' }));

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('GET /api/users/{id}/memberships', () => {
  const GROUPS = 2_000;
  const WORKSPACES = 6;

  /** The second workspace has thousands of groups, the first has none, the others have one each. */
  beforeAll(async () => {
    const { dataSource, directory } = service;
    await directory.user('mia');
    await dataSource.query(
      `INSERT INTO workspaces (id, name) SELECT ${costly('w')}, ${costly('W')} FROM generate_series(1, ${WORKSPACES}) AS n`,
    );
    await dataSource.query(
      `INSERT INTO groups (id, name, workspace_key)
       SELECT ${costly('g')}, ${costly('G')}, key FROM generate_series(1, ${GROUPS + WORKSPACES - 2}) AS n
       JOIN workspaces ON workspaces.id = ${costly('w', `GREATEST(n - ${GROUPS}, 0) + 2`)}`,
    );
    await dataSource.query(
      `INSERT INTO workspace_memberships (user_key, workspace_key)
       SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE u.id = 'mia' AND w.id LIKE chr(1) || '%'`,
    );
    await dataSource.query(
      `INSERT INTO group_memberships (user_key, workspace_key, group_key)
       SELECT m.user_key, m.workspace_key, g.key FROM workspace_memberships AS m JOIN groups AS g USING (workspace_key)
       JOIN users AS u ON u.key = m.user_key WHERE u.id = 'mia'`,
    );
  });

  it.each([1, 200])('a workspace with too many groups goes on under itself, %i workspaces a page', async (limit) => {
    const pages = await walkPages<MembershipPageDto>(service, `/api/users/mia/memberships?limit=${limit}`);
    const rows = pages.flatMap(({ memberships }) => memberships);
    expect(pages.every(({ memberships }) => memberships.length > 0 && memberships.length <= limit)).toBe(true);
    expect([...new Set(rows.map(({ workspace }) => numberIn(workspace.id)))]).toEqual(upTo(WORKSPACES));
    expect(rows.flatMap(({ groups }) => groups.map(({ id }) => numberIn(id)))).toEqual(upTo(GROUPS + WORKSPACES - 2));
    expect(rows.filter(({ workspace }) => numberIn(workspace.id) === 1)).toEqual([
      { workspace: { id: expect.any(String) as string, name: expect.any(String) as string }, groups: [] },
    ]);
  });

  it('goes on behind a workspace whose other groups the user has left since', async () => {
    const { body } = await getPage<MembershipPageDto>(service, '/api/users/mia/memberships?limit=2');
    const [, begun] = body.memberships;
    const shown = begun?.groups.length ?? 0;
    expect(shown).toBeGreaterThan(1_000);
    await service.dataSource.transaction(async (manager) => {
      const runner = `DELETE FROM group_memberships USING groups AS g WHERE g.key = group_key AND g.id > $1 AND g.id <= ${costly('g', String(GROUPS))}`;
      await manager.query(runner, [begun?.groups.at(-1)?.id]);
    });
    const rest = (await getPage<MembershipPageDto>(service, `/api/users/mia/memberships?limit=1&cursor=${body.next}`))
      .body;
    expect(rest.memberships.map(({ workspace, groups }) => [numberIn(workspace.id), groups.length])).toEqual([[3, 1]]);
  });

  it('ends a page after 10,000 groups, however short', async () => {
    const { dataSource, directory } = service;
    await directory.user('noa');
    await directory.workspace('short');
    await dataSource.query(
      `INSERT INTO groups (id, name, workspace_key)
       SELECT 's' || n, '-', key FROM workspaces, generate_series(1, ${LIMITS.groupsPage + 1}) AS n WHERE id = 'short'`,
    );
    await directory.member('noa', 'short');
    await dataSource.query(
      `INSERT INTO group_memberships (user_key, workspace_key, group_key)
       SELECT u.key, g.workspace_key, g.key FROM users AS u, groups AS g WHERE u.id = 'noa' AND g.id LIKE 's%'`,
    );
    const pages = await walkPages<MembershipPageDto>(service, '/api/users/noa/memberships?limit=200');
    expect(pages.map(({ memberships }) => memberships.map(({ groups }) => groups.length))).toEqual([
      [LIMITS.groupsPage],
      [1],
    ]);
  });
});

describe('GET /api/users/{id}/permissions', () => {
  const PERMISSIONS = 60;
  const WORKSPACES = 200;

  /** A user in 200 workspaces that all give the same permissions, one of which the user also holds directly. */
  beforeAll(async () => {
    const { dataSource, directory } = service;
    await dataSource.query(
      `INSERT INTO permissions (id, grants) SELECT ${costly('p')}, 'member' FROM generate_series(1, ${PERMISSIONS}) AS n`,
    );
    await directory.user('pia', { type: 'member' });
    await dataSource.query(
      `INSERT INTO workspaces (id, name) SELECT ${costly('v')}, 'V' FROM generate_series(1, ${WORKSPACES}) AS n`,
    );
    await dataSource.query(
      `INSERT INTO user_permissions (user_key, permission_key)
       SELECT u.key, p.key FROM users AS u, permissions AS p WHERE u.id = 'pia' AND p.id = ${costly('p', '1')}`,
    );
    const ours = `FROM users AS u, workspaces AS w WHERE u.id = 'pia' AND w.id LIKE chr(1) || '%v________'`;
    // The journal knows why by the transaction.
    await dataSource.transaction(async (manager) => {
      await manager.query(`INSERT INTO workspace_memberships (user_key, workspace_key) SELECT u.key, w.key ${ours}`);
      await manager.query(
        `INSERT INTO workspace_permissions (workspace_key, permission_key)
         SELECT w.key, p.key FROM workspaces AS w, permissions AS p
         WHERE w.id LIKE chr(1) || '%v________' AND p.id LIKE chr(1) || '%p________'`,
      );
      await manager.query(
        `SELECT journal_append_changes('service', ${costly('a', '1')}, NULL, repeat(chr(1), 500), NULL, NULL, ARRAY(
           SELECT ROW('workspace.permissions.changed', NULL, ARRAY[w.id], '{"permissions": []}', jsonb_build_object('permissions', ARRAY(
             SELECT p.id FROM permissions AS p WHERE p.id LIKE chr(1) || '%p________')))::journal_new_change ${ours}
         ) || ARRAY(
           SELECT ROW('user.workspaces.assigned', ARRAY['pia'], ARRAY[w.id], NULL,
             jsonb_build_object('workspaces', ARRAY[w.id], 'groups', ARRAY[]::text[]))::journal_new_change ${ours}
         ))`,
      );
    });
    await dataSource.query('ANALYZE');
  });

  it('shows 20 sources of each and the number of the others', async () => {
    const pages = await walkPages<HeldPermissionsDto>(service, '/api/users/pia/permissions?limit=200');
    expect(pages.every(({ type, permissions: { length } }) => type === 'member' && length > 0)).toBe(true);
    const permissions = pages.flatMap((page) => page.permissions);
    expect(permissions.map(({ id }) => numberIn(id))).toEqual(upTo(PERMISSIONS));
    const [first, second] = permissions;
    expect(Object.keys(first ?? {})).toEqual(['id', 'grants', 'earnsType', 'sources', 'more']);
    expect(first?.sources[0]).toEqual({ kind: 'user', since: expect.any(String) as string, actor: null, reason: null });
    expect([first?.sources.length, first?.more]).toEqual([20, WORKSPACES + 1 - 20]);
    expect(second?.sources.map((source) => [source.kind, 'id' in source && numberIn(source.id)])).toEqual(
      upTo(20).map((n) => ['workspace', n]),
    );
    expect(second?.sources.every(({ since, reason }) => since !== null && reason?.length === 500)).toBe(true);
    expect(permissions.every(({ sources, more = 0 }) => sources.length + more >= WORKSPACES)).toBe(true);
  });

  it('reads once what the user is given, whatever the number of permissions on the page', async () => {
    const plan: { 'QUERY PLAN': [{ Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }] }[] =
      await service.dataSource.query(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT source.* FROM users
         CROSS JOIN LATERAL permission_sources(users.key, NULL, 200, 20, ${LIMITS.pageBytes}) AS source WHERE users.id = 'pia'`,
      );
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plan[0]?.['QUERY PLAN'][0].Plan ?? {};
    // Six for each source. Reading what is given once for each permission would take 60,000.
    expect((hit ?? 0) + (read ?? 0)).toBeLessThan(10 * 20 * PERMISSIONS);
  });
});
