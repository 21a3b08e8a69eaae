import type { EntityManager } from 'typeorm';
import { LockedUsers } from './locked-users';

/** Whom a permission can be given to. Everyone in a workspace or a group holds what it is permitted. */
export type HolderKind = 'user' | 'workspace' | 'group';

/** Holds these permissions as they are until the transaction ends: none can vanish, nor change the type that it grants. */
export async function holdPermissions(manager: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const rows: { id: string }[] = await manager.query(
    'SELECT id FROM permissions WHERE id = ANY($1) ORDER BY id FOR KEY SHARE',
    [ids],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Locks a holder, and then everyone who holds what it is permitted; undefined if there is no such holder.
 *
 * Nobody can join a workspace or a group while it is locked (joining holds it, see `assign-users.ts`), so its members are
 * asked for after that, in a statement of its own, which sees all who joined before.
 */
export async function lockHolder(
  manager: EntityManager,
  kind: HolderKind,
  id: string,
): Promise<LockedUsers | undefined> {
  if (kind === 'user') {
    const user = await LockedUsers.lock(manager, [id]);
    return user.has(id) ? user : undefined;
  }
  const found: unknown[] = await manager.query(`SELECT id FROM ${kind}s WHERE id = $1 FOR UPDATE`, [id]);
  if (found.length === 0) return undefined;
  const members: { id: string }[] = await manager.query(
    `SELECT user_id AS id FROM ${kind}_memberships WHERE ${kind}_id = $1`,
    [id],
  );
  return LockedUsers.lock(
    manager,
    members.map((member) => member.id),
  );
}

/** Gives a holder these permissions. Those that it has stay as they are. */
export async function grantPermissions(
  manager: EntityManager,
  kind: HolderKind,
  id: string,
  permissionIds: readonly string[],
): Promise<void> {
  await manager.query(
    `INSERT INTO ${kind}_permissions (${kind}_id, permission_id) SELECT $1::text, unnest($2::text[])
     ON CONFLICT DO NOTHING`,
    [id, permissionIds],
  );
}

/** Takes these permissions from a holder. */
export async function revokePermissions(
  manager: EntityManager,
  kind: HolderKind,
  id: string,
  permissionIds: readonly string[],
): Promise<void> {
  await manager.query(`DELETE FROM ${kind}_permissions WHERE ${kind}_id = $1 AND permission_id = ANY($2)`, [
    id,
    permissionIds,
  ]);
}

/** What a holder is permitted itself, in order. */
export async function permissionsOf(manager: EntityManager, kind: HolderKind, id: string): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(
    `SELECT permission_id AS id FROM ${kind}_permissions WHERE ${kind}_id = $1 ORDER BY 1`,
    [id],
  );
  return rows.map((row) => row.id);
}

/** The workspace that a holder is or lives in; none for a user. */
export async function workspacesOf(manager: EntityManager, kind: HolderKind, id: string): Promise<string[]> {
  if (kind === 'user') return [];
  if (kind === 'workspace') return [id];
  const rows: { id: string }[] = await manager.query('SELECT workspace_id AS id FROM groups WHERE id = $1', [id]);
  return rows.map((row) => row.id);
}
