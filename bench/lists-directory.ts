import { BenchDatabase } from './bench-database';
import { createTables } from './bench-directory';

export const WORKSPACES = 1_000;
export const GROUPS_PER_WORKSPACE = 10;
export const PERMISSIONS = 20;
export const FIRST_NAMES = 'Ada Ben Cyd Dee Eve Femi Grace Hana Ines Jonas Kofi Lena Mina Noor Otto Priya Quinn Rosa Sven Tariq'.split(' '); // prettier-ignore
export const LAST_NAMES = 'Abara Becker Chen Diaz Eriksen Fischer Garcia Hoffmann Ito Jansen Kowalski Lopez Murphy Nguyen Okafor Petrov Quist Rossi Schmidt Tanaka'.split(' '); // prettier-ignore

/**
 * A directory as skewed as real ones, so that each filter has values that nearly everyone, some, few and nobody match. Users have
 * the ids of an identity provider, in no order, and each is in five workspaces: nearly everyone in `workspace-1`, the rest
 * the fewer, the higher its number, and nobody in the last one. `permission-1` is held by nearly everyone through `workspace-1`,
 * the next 17 through a workspace of their number and groups, the 19th by nobody, and the 20th by 32 administrators.
 */
export function createListsDirectory(server: string, users: number): Promise<BenchDatabase> {
  return BenchDatabase.create(server, async (database) => {
    await createTables(database);
    await database.execute(directoryOf(users));
  });
}

/** Keys count the records of a kind from 1. Types are not derived, because lists only read them. */
function directoryOf(users: number): string[] {
  const array = (names: readonly string[]) => `('{${names.join(',')}}'::text[])`;
  return [
    `INSERT INTO permissions (id, grants) SELECT 'permission-' || n,
       (CASE WHEN n < 15 THEN 'member' WHEN n < 20 THEN 'manager' ELSE 'administrator' END)::user_type
     FROM generate_series(1, ${PERMISSIONS}) AS n`,
    `INSERT INTO workspaces (id, name) SELECT 'workspace-' || w, 'Workspace ' || w FROM generate_series(1, ${WORKSPACES}) AS w`,
    `INSERT INTO groups (id, name, workspace_key)
     SELECT 'group-' || w || '-' || g, 'Group ' || g, w
     FROM generate_series(1, ${WORKSPACES}) AS w, generate_series(1, ${GROUPS_PER_WORKSPACE}) AS g ORDER BY w, g`,
    `INSERT INTO workspace_permissions (workspace_key, permission_key) SELECT n, n FROM generate_series(1, ${PERMISSIONS - 2}) AS n`,
    `INSERT INTO group_permissions (group_key, permission_key)
     SELECT g, g % 17 + 2 FROM generate_series(${GROUPS_PER_WORKSPACE + 1}, ${WORKSPACES * GROUPS_PER_WORKSPACE}, 7) AS g`,
    `INSERT INTO users (created_at, type, status, id, email, display_name)
     SELECT now() - n * interval '97 seconds',
       (CASE WHEN n <= 32 THEN 'administrator' WHEN n % 100 = 1 THEN 'manager' WHEN n % 1000 = 2 THEN 'guest' ELSE 'member' END)::user_type,
       (CASE WHEN n % 200 = 3 THEN 'inactive' ELSE 'active' END)::user_status,
       md5('user-' || n)::uuid::text, lower(first || '.' || last || n) || '@example-' || n % 500 || '.com', first || ' ' || last
     FROM generate_series(1, ${users}) AS n, LATERAL (SELECT
       ${array(FIRST_NAMES)}[1 + n * 7 % ${FIRST_NAMES.length}] AS first,
       ${array(LAST_NAMES)}[1 + n / ${FIRST_NAMES.length} % ${LAST_NAMES.length}] AS last) AS name`,
    `INSERT INTO workspace_memberships (user_key, workspace_key)
     SELECT n, 1 FROM generate_series(1, ${users}) AS n WHERE n % 50 > 0
     UNION SELECT n, 2 + floor(${WORKSPACES - 2} * power((hashint8(n * 5 + i) & 1048575) / 1048576.0, 3))::integer
     FROM generate_series(1, ${users}) AS n, generate_series(1, 4) AS i`,
    `INSERT INTO group_memberships (user_key, workspace_key, group_key)
     SELECT user_key, workspace_key, (workspace_key - 1) * ${GROUPS_PER_WORKSPACE} +
       CASE WHEN workspace_key = 1 THEN 1 ELSE user_key % ${GROUPS_PER_WORKSPACE} + 1 END
     FROM workspace_memberships WHERE workspace_key = 1 OR user_key % 3 = 0`,
    `INSERT INTO user_permissions (user_key, permission_key) SELECT n, ${PERMISSIONS} FROM generate_series(1, 32) AS n`,
  ];
}
