import type { EntityManager } from 'typeorm';
import { type KeysQuery, membersOf } from './affected-users';

/** The kinds of holders of a permission. All members of a workspace or group hold its permissions. */
export type HolderKind = 'user' | 'workspace' | 'group';

interface Holder {
  kind: HolderKind;
  key: string;
}

/** A holder whose row this transaction has locked. */
interface LockedHolder extends Holder {
  /** The holder itself if it is a workspace, the workspace of a group, or none for a user. */
  workspaces: string[];
}

const LOCK_HOLDER = {
  user: 'SELECT key, NULL AS workspace FROM users WHERE id = $1 FOR NO KEY UPDATE',
  workspace: 'SELECT key, id AS workspace FROM workspaces WHERE id = $1 FOR UPDATE',
  group: `
    SELECT groups.key, workspaces.id AS workspace FROM groups JOIN workspaces ON workspaces.key = workspace_key
    WHERE groups.id = $1 FOR UPDATE OF groups`,
};

/**
 * Locks a holder; undefined if it does not exist. Joining a workspace or a group locks it as well (see
 * `lock_assignment.sql`), so nobody can join meanwhile.
 */
export async function lockHolder(
  manager: EntityManager,
  kind: HolderKind,
  id: string,
): Promise<LockedHolder | undefined> {
  const [holder]: { key: string; workspace: string | null }[] = await manager.query(LOCK_HOLDER[kind], [id]);
  return holder && { kind, key: holder.key, workspaces: holder.workspace === null ? [] : [holder.workspace] };
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

/** The ids of a holder's direct permissions, in order. */
export async function permissionsOf(manager: EntityManager, { kind, key }: Holder): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(permissionIdsOf(kind, '$1'), [key]);
  return rows.map((row) => row.id);
}

/** A query for the ids of a holder's direct permissions, in order. */
export function permissionIdsOf(kind: HolderKind, key: string): string {
  return `SELECT permissions.id FROM ${kind}_permissions JOIN permissions ON permissions.key = permission_key
    WHERE ${kind}_key = ${key} ORDER BY 1`;
}
