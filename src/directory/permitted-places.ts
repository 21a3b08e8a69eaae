import type { EntityManager } from 'typeorm';
import { keysInParts } from './keys-in-parts';
import type { LockedUsers } from './locked-users';
import type { HolderKind } from './permission-holders';

/** A holder of a permission, with the ids of its permissions before the change. */
export interface ChangedHolder {
  holder: HolderKind;
  id: string;
  /** The holder itself if it is a workspace, the workspace of a group, or none for a user. */
  workspaces: string[];
  before: string[];
}

const PLACES = ['workspace', 'group'] as const;

/** The workspaces of a holder, as SQL. */
const WORKSPACES_OF = {
  user: `'{}'::text[]`,
  workspace: 'ARRAY[holder.id]',
  group: 'ARRAY(SELECT id FROM workspaces WHERE key = holder.workspace_key)',
};

/**
 * Locks every workspace and then every group with a permission, so that nobody can join them. Lock the permission
 * first, so that nobody else can receive it. The rows are counted and not fetched.
 */
export async function lockPlacesWith(manager: EntityManager, permissionKey: string): Promise<void> {
  for (const place of PLACES) {
    await manager.query(
      `SELECT count(*) FROM (
         SELECT FROM ${place}s WHERE key IN (SELECT ${place}_key FROM ${place}_permissions WHERE permission_key = $1)
         ORDER BY key FOR UPDATE
       ) AS locked`,
      [permissionKey],
    );
  }
}

/**
 * Revokes a permission from every workspace and then from every group, and returns these in parts: there can be a
 * million.
 */
export async function* takeFromPlaces(
  manager: EntityManager,
  permissionKey: string,
): AsyncGenerator<ChangedHolder[], void, undefined> {
  for (const place of PLACES) {
    const holders = { table: `${place}_permissions`, key: `${place}_key`, where: 'permission_key', is: permissionKey };
    for await (const keys of keysInParts(manager, holders)) {
      yield take(manager, place, permissionKey, keys);
    }
  }
}

/** Revokes a permission from those of these users who hold it directly. */
export function takeFromUsers(
  manager: EntityManager,
  permissionKey: string,
  users: LockedUsers,
): Promise<ChangedHolder[]> {
  return take(manager, 'user', permissionKey, users.keys);
}

/** The permissions before the change are read in the snapshot of the statement, so they include the deleted ones. */
function take(
  manager: EntityManager,
  kind: HolderKind,
  permissionKey: string,
  keys: readonly string[],
): Promise<ChangedHolder[]> {
  return manager.query(
    `WITH gone AS (
       DELETE FROM ${kind}_permissions WHERE permission_key = $1 AND ${kind}_key = ANY ($2) RETURNING ${kind}_key AS key
     )
     SELECT '${kind}' AS holder, holder.id, ${WORKSPACES_OF[kind]} AS workspaces, ARRAY(
       SELECT p.id FROM ${kind}_permissions AS had JOIN permissions AS p ON p.key = permission_key
       WHERE had.${kind}_key = holder.key ORDER BY 1
     ) AS before
     FROM gone JOIN ${kind}s AS holder USING (key) ORDER BY holder.id`,
    [permissionKey, keys],
  );
}
