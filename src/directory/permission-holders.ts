import type { EntityManager } from 'typeorm';
import { type KeysQuery, membersOf } from './affected-users';

/** The kinds of holders of a permission. All members of a workspace or group hold its permissions. */
export type HolderKind = 'user' | 'workspace' | 'group';

interface Holder {
  kind: HolderKind;
  key: string;
}

/** All users who hold the permissions of a holder. */
export function holdersThrough({ kind, key }: Holder): KeysQuery {
  return kind === 'user' ? { statement: 'SELECT $1::bigint', parameters: [key] } : membersOf(kind, key);
}

/** Grants these permissions to a holder. Existing ones stay. */
export async function grantPermissions(
  manager: EntityManager,
  { kind, key }: Holder,
  permissionKeys: readonly string[],
): Promise<void> {
  await manager.query(
    `INSERT INTO ${kind}_permissions (${kind}_key, permission_key) SELECT $1::bigint, unnest($2::bigint[])
     ON CONFLICT DO NOTHING`,
    [key, permissionKeys],
  );
}

/** Revokes these permissions from a holder. */
export async function revokePermissions(
  manager: EntityManager,
  { kind, key }: Holder,
  permissionKeys: readonly string[],
): Promise<void> {
  await manager.query(`DELETE FROM ${kind}_permissions WHERE ${kind}_key = $1 AND permission_key = ANY ($2)`, [
    key,
    permissionKeys,
  ]);
}

/** Replaces the permissions of a holder. */
export async function replacePermissions(
  manager: EntityManager,
  holder: Holder,
  permissionKeys: readonly string[],
): Promise<void> {
  const { kind, key } = holder;
  await manager.query(`DELETE FROM ${kind}_permissions WHERE ${kind}_key = $1 AND permission_key <> ALL ($2)`, [
    key,
    permissionKeys,
  ]);
  await grantPermissions(manager, holder, permissionKeys);
}

/** A query for the ids of a holder's direct permissions, in order. */
export function permissionIdsOf(kind: HolderKind, key: string): string {
  return `SELECT permissions.id FROM ${kind}_permissions JOIN permissions ON permissions.key = permission_key
    WHERE ${kind}_key = ${key} ORDER BY 1`;
}

/** Everything that a user effectively holds, as text that can be compared. */
export async function heldPermissions(manager: EntityManager, userKey: string): Promise<string> {
  const [{ held }] = await manager.query<[{ held: string }]>(
    `SELECT ARRAY(SELECT DISTINCT permission_key FROM held_permissions() WHERE user_key = $1 ORDER BY 1)::text AS held`,
    [userKey],
  );
  return held;
}

/**
 * The ids of users whose effective permissions have changed, after a place of theirs was given some permissions and
 * lost others. Who holds one in another way as well has not gained or lost it.
 */
export async function affectedByPlace(
  manager: EntityManager,
  userKeys: readonly string[],
  gained: readonly string[],
  lost: readonly string[],
): Promise<string[]> {
  const ways =
    'SELECT count(*) FROM held_permissions() AS held WHERE held.user_key = users.key ' +
    'AND held.permission_key = p.key';
  const rows: { id: string }[] = await manager.query(
    `SELECT id FROM users WHERE key = ANY ($1) AND EXISTS (
       SELECT FROM permissions AS p
       WHERE (p.id = ANY ($2) AND (${ways}) = 1) OR (p.id = ANY ($3) AND (${ways}) = 0)
     )`,
    [userKeys, gained, lost],
  );
  return rows.map(({ id }) => id);
}
