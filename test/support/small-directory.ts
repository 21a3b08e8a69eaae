import type { TestService } from './test-service';

/** Two administrators, a manager, a guest and inactive users, two workspaces, each with a group. */
export async function writeSmallDirectory({ directory }: TestService): Promise<void> {
  await directory.clear();
  await directory.permission('administer', 'administrator');
  await directory.permission('read', 'member');
  await directory.permission('manage', 'manager');
  await directory.workspace('atlas', ['read']);
  await directory.workspace('borealis');
  await directory.group('atlas-managers', 'atlas', ['manage']);
  await directory.group('borealis-editors', 'borealis');
  await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
  await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
  await directory.user('max', { type: 'manager', permissions: ['manage'] });
  await directory.user('ben');
  await directory.user('cyd', { status: 'inactive' });
  await directory.user('old-admin', { type: 'administrator', status: 'inactive', permissions: ['administer'] });
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
