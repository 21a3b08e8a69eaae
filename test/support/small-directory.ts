import type { TestService } from './test-service';

/** Two administrators, a manager, a guest and inactive users, two workspaces, each with a group. */
export async function writeSmallDirectory({ directory, dataSource }: TestService): Promise<void> {
  await directory.clear();
  // Before each of hundreds of tests, so in one round trip.
  await dataSource.query(`
    INSERT INTO permissions (id, grants) VALUES ('administer', 'administrator'), ('read', 'member'), ('manage', 'manager');
    INSERT INTO workspaces (id, name) VALUES ('atlas', 'atlas'), ('borealis', 'borealis');
    INSERT INTO groups (id, name, workspace_key)
      SELECT g.id, g.id, w.key FROM workspaces AS w
      JOIN (VALUES ('atlas-managers', 'atlas'), ('borealis-editors', 'borealis')) AS g (id, workspace) ON w.id = g.workspace;
    INSERT INTO users (id, type, status) VALUES ('ada', 'administrator', 'active'), ('zoe', 'administrator', 'active'),
      ('max', 'manager', 'active'), ('ben', 'guest', 'active'), ('cyd', 'guest', 'inactive'), ('old-admin', 'administrator', 'inactive');
    INSERT INTO user_permissions (user_key, permission_key)
      SELECT u.key, p.key FROM users AS u JOIN permissions AS p ON p.grants = u.type;
    INSERT INTO workspace_permissions (workspace_key, permission_key)
      SELECT w.key, p.key FROM workspaces AS w, permissions AS p WHERE (w.id, p.id) = ('atlas', 'read');
    INSERT INTO group_permissions (group_key, permission_key)
      SELECT g.key, p.key FROM groups AS g, permissions AS p WHERE (g.id, p.id) = ('atlas-managers', 'manage')`);
}

const TABLES = [
  'users',
  'workspaces',
  'groups',
  'permissions',
  'workspace_memberships',
  'group_memberships',
  'user_permissions',
  'workspace_permissions',
  'group_permissions',
];

/** Every row of the directory with the transaction that wrote it: equal before and after means that nothing was written. */
export async function everyRow({ dataSource }: TestService): Promise<string[]> {
  const rows: { line: string }[] = await dataSource.query(
    TABLES.map((table) => `SELECT '${table} ' || t.xmin || ' ' || to_jsonb(t) AS line FROM ${table} AS t`).join(
      ' UNION ALL ',
    ) + ' ORDER BY line',
  );
  return rows.map(({ line }) => line);
}
