import type { EntityManager } from 'typeorm';
import { LockedUsers } from './locked-users';

/** Whom a permission can be given to. Everyone in a workspace or a group holds what it is permitted. */
export type HolderKind = 'user' | 'workspace' | 'group';

/** A holder whose row this transaction holds, with everyone who holds what it is permitted. */
export interface LockedHolder {
  kind: HolderKind;
  key: string;
  users: LockedUsers;
  /** The workspace that the holder is or lives in; none for a user. */
  workspaces: string[];
}

interface LockedPlace {
  key: string;
  workspace: string;
}

const LOCK_PLACE = {
  workspace: 'SELECT key, id AS workspace FROM workspaces WHERE id = $1 FOR UPDATE',
  group: `
    SELECT groups.key, workspaces.id AS workspace FROM groups JOIN workspaces ON workspaces.key = workspace_key
    WHERE groups.id = $1 FOR UPDATE OF groups`,
};

/**
 * Locks a holder, and then everyone who holds what it is permitted; undefined if there is no such holder.
 *
 * Joining a workspace or a group holds it (see `assign_users.sql`), so nobody can join while it is locked. Its members are
 * found by a later statement, which sees everyone who joined before.
 */
export async function lockHolder(
  manager: EntityManager,
  kind: HolderKind,
  id: string,
): Promise<LockedHolder | undefined> {
  if (kind === 'user') {
    const users = await LockedUsers.lock(manager, [id]);
    return users.keys.map((key) => ({ kind, key, users, workspaces: [] }))[0];
  }
  const [place]: LockedPlace[] = await manager.query(LOCK_PLACE[kind], [id]);
  if (!place) return undefined;
  const { key, workspace } = place;
  return { kind, key, users: await LockedUsers.lockMembers(manager, kind, key), workspaces: [workspace] };
}

/** Gives a holder these permissions. Those that it has stay as they are. */
export async function grantPermissions(
  manager: EntityManager,
  { kind, key }: LockedHolder,
  permissionKeys: readonly string[],
): Promise<void> {
  await manager.query(
    `INSERT INTO ${kind}_permissions (${kind}_key, permission_key) SELECT $1::bigint, unnest($2::bigint[])
     ON CONFLICT DO NOTHING`,
    [key, permissionKeys],
  );
}

/** Takes these permissions from a holder. */
export async function revokePermissions(
  manager: EntityManager,
  { kind, key }: LockedHolder,
  permissionKeys: readonly string[],
): Promise<void> {
  await manager.query(`DELETE FROM ${kind}_permissions WHERE ${kind}_key = $1 AND permission_key = ANY ($2)`, [
    key,
    permissionKeys,
  ]);
}

/** The ids of the permissions that a holder is given directly, in order. */
export async function permissionsOf(manager: EntityManager, { kind, key }: LockedHolder): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(
    `SELECT id FROM ${kind}_permissions JOIN permissions ON permissions.key = permission_key
     WHERE ${kind}_key = $1 ORDER BY id`,
    [key],
  );
  return rows.map((row) => row.id);
}
