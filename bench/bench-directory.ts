import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createDataSource, migrate } from '../test/support/whole-schema';
import { BenchDatabase } from './bench-database';

export const GROUPS_PER_WORKSPACE = 10;
export const ADMINISTRATORS = 32;

/**
 * A database with the service's tables and a directory: users `user-1` to `user-n`, each in one workspace and one of its groups,
 * workspaces `workspace-1` to `workspace-n` with groups `group-1-1` to `group-n-10`, 20 permissions, and 32 administrators.
 */
export function createBenchDirectory(
  server: string,
  workspaces: number,
  users: number,
  tables = createTables,
): Promise<BenchDatabase> {
  return BenchDatabase.create(server, async (database) => {
    await tables(database);
    await database.execute(directoryOf(workspaces, users));
  });
}

/** The tables of the service, in an empty database. */
export async function createTables(database: BenchDatabase): Promise<void> {
  const dataSource = createDataSource({ url: database.url, poolSize: 1 });
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
}

/** The tables of another build of the service, which its own command makes. */
export const createTablesBy =
  (folder: string) =>
  async (database: BenchDatabase): Promise<void> => {
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url };
    await promisify(execFile)(process.execPath, ['dist/cli/main.js', 'migrate'], { cwd: folder, env });
  };

/** Keys count the records of a kind from 1. Members by their workspace, and managers where their group is permitted one of the last five permissions. */
function directoryOf(workspaces: number, users: number): string[] {
  const groupOf = `w * ${GROUPS_PER_WORKSPACE} + g`;
  const keyOfGroup = `(w - 1) * ${GROUPS_PER_WORKSPACE} + g`;
  const permissionOfGroup = `(${groupOf}) % 19 + 1`;
  const usersWithPlaces = `(SELECT n, n % ${workspaces} + 1 AS w, n % ${GROUPS_PER_WORKSPACE} + 1 AS g FROM generate_series(1, ${users}) AS n) AS u`;
  return [
    `INSERT INTO permissions (id, grants) SELECT 'permission-' || n,
       (CASE WHEN n < 15 THEN 'member' WHEN n < 20 THEN 'manager' ELSE 'administrator' END)::user_type
     FROM generate_series(1, 20) AS n`,
    `INSERT INTO workspaces (id, name) SELECT 'workspace-' || w, 'Workspace ' || w FROM generate_series(1, ${workspaces}) AS w`,
    `INSERT INTO workspace_permissions (workspace_key, permission_key)
     SELECT w, w % 14 + 1 FROM generate_series(1, ${workspaces}) AS w`,
    `INSERT INTO groups (id, name, workspace_key)
     SELECT 'group-' || w || '-' || g, 'Group ' || g, w
     FROM generate_series(1, ${workspaces}) AS w, generate_series(1, ${GROUPS_PER_WORKSPACE}) AS g ORDER BY w, g`,
    `INSERT INTO group_permissions (group_key, permission_key)
     SELECT ${keyOfGroup}, ${permissionOfGroup}
     FROM generate_series(1, ${workspaces}) AS w, generate_series(1, ${GROUPS_PER_WORKSPACE}) AS g`,
    `INSERT INTO users (id, email, display_name, type)
     SELECT 'user-' || n, 'user-' || n || '@example.com', 'User ' || n,
       (CASE WHEN ${permissionOfGroup} < 15 THEN 'member' ELSE 'manager' END)::user_type FROM ${usersWithPlaces}`,
    `INSERT INTO workspace_memberships (user_key, workspace_key) SELECT n, w FROM ${usersWithPlaces}`,
    `INSERT INTO group_memberships (user_key, workspace_key, group_key) SELECT n, w, ${keyOfGroup} FROM ${usersWithPlaces}`,
    `INSERT INTO users (id, type) SELECT 'admin-' || n, 'administrator' FROM generate_series(1, ${ADMINISTRATORS}) AS n`,
    `INSERT INTO user_permissions (user_key, permission_key)
     SELECT ${users} + n, 20 FROM generate_series(1, ${ADMINISTRATORS}) AS n`,
  ];
}
