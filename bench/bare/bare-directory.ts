import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMINISTRATORS, GROUPS_PER_WORKSPACE } from '../bench-directory';
import { BenchDatabase } from '../bench-database';

const TABLES = readFileSync(join(__dirname, 'bare.sql'), 'utf8');

/** A database with the tables of the bare contestant, and the same directory as the service's. */
export function createBareDirectory(server: string, workspaces: number, users: number): Promise<BenchDatabase> {
  return BenchDatabase.create(server, (database) => database.execute([TABLES, ...directoryOf(workspaces, users)]));
}

/** Keys count the records of a kind from 1; those of administrators come after those of users. */
function directoryOf(workspaces: number, users: number): string[] {
  const groupKey = `(w - 1) * ${GROUPS_PER_WORKSPACE} + g`;
  const permissionOfGroup = `(w * ${GROUPS_PER_WORKSPACE} + g) % 19 + 1`;
  const everyGroup = `generate_series(1, ${workspaces}) AS w, generate_series(1, ${GROUPS_PER_WORKSPACE}) AS g`;
  const usersWithPlaces = `(SELECT n, n % ${workspaces} + 1 AS w, n % ${GROUPS_PER_WORKSPACE} + 1 AS g FROM generate_series(1, ${users}) AS n) AS u`;
  return [
    `INSERT INTO permissions SELECT n,
       (CASE WHEN n < 15 THEN 'member' WHEN n < 20 THEN 'manager' ELSE 'administrator' END)::user_type
     FROM generate_series(1, 20) AS n`,
    `INSERT INTO workspaces SELECT w, 'workspace-' || w FROM generate_series(1, ${workspaces}) AS w`,
    `INSERT INTO workspace_permissions SELECT w, w % 14 + 1 FROM generate_series(1, ${workspaces}) AS w`,
    `INSERT INTO groups SELECT ${groupKey}, 'group-' || w || '-' || g, w FROM ${everyGroup}`,
    `INSERT INTO group_permissions SELECT ${groupKey}, ${permissionOfGroup} FROM ${everyGroup}`,
    `INSERT INTO users (key, id, type) SELECT n, 'user-' || n,
       (CASE WHEN ${permissionOfGroup} < 15 THEN 'member' ELSE 'manager' END)::user_type FROM ${usersWithPlaces}`,
    `INSERT INTO workspace_members SELECT n, w FROM ${usersWithPlaces}`,
    `INSERT INTO group_members SELECT n, w, ${groupKey} FROM ${usersWithPlaces}`,
    `INSERT INTO users (key, id, type)
     SELECT ${users} + n, 'admin-' || n, 'administrator' FROM generate_series(1, ${ADMINISTRATORS}) AS n`,
    `INSERT INTO user_permissions SELECT ${users} + n, 20 FROM generate_series(1, ${ADMINISTRATORS}) AS n`,
  ];
}
