import type { EntityManager } from 'typeorm';
import type { MemberChanges } from '@user-administration/scim-protocol';
import { isIdentifier } from '../contract/identifiers';
import { LockedRecords } from '../directory/locked-records';
import { LockedUsers } from '../directory/locked-users';
import type { Workspace } from '../directory/workspace.entity';
import { OutdatedError } from './begin-again';
import type { Connection } from './current-connection';
import type { JudgedConnection } from './judge-connection';
import { FROM_GROUPS, GROUP_COLUMNS, type KeptGroup } from './kept-group';

type LockedWorkspace = Pick<Workspace, 'key' | 'id'>;

/** How far a change of a group locks it: against other changes of SCIM, or against joiners as well. */
export type GroupLock = 'NO KEY UPDATE' | 'UPDATE';

export async function findGroup(
  manager: Pick<EntityManager, 'query'>,
  id: string,
  { key }: Pick<Connection, 'key'>,
): Promise<KeptGroup | undefined> {
  if (!isIdentifier(id)) return undefined;
  const [found]: KeptGroup[] = await manager.query(
    `SELECT ${GROUP_COLUMNS} FROM ${FROM_GROUPS} WHERE c.key = $1 AND g.id = $2`,
    [key, id],
  );
  return found;
}

/**
 * Locks a group that was found, and its workspace, until the transaction ends.
 *
 * @returns the group, as it is now that it is locked; undefined if the connection no longer sees it
 */
export async function lockGroup(
  manager: EntityManager,
  found: KeptGroup,
  connection: Connection,
  lock: GroupLock,
): Promise<KeptGroup | undefined> {
  await manager.query('SELECT FROM workspaces WHERE key = $1 FOR KEY SHARE', [found.workspaceKey]);
  await manager.query(`SELECT FROM groups WHERE key = $1 FOR ${lock}`, [found.key]);
  return findGroup(manager, found.id, connection);
}

/**
 * Locks the workspaces of a connection against its own namings and those of other connections, so that a name that is free stays so.
 * Assignments do not wait for it.
 */
export function lockNames(manager: EntityManager, { key }: Connection): Promise<LockedWorkspace[]> {
  return manager.query(
    `SELECT w.key, w.id FROM workspaces AS w WHERE w.key IN (
       SELECT unnest(array_prepend(workspace_key, more_workspace_keys)) FROM scim_connections WHERE key = $1
     ) ORDER BY w.key FOR NO KEY UPDATE`,
    [key],
  );
}

/**
 * @returns the workspace in which the connection makes groups
 * @throws OutdatedError if it got another one since {@link lockNames}
 */
export function requireLocked(locked: readonly LockedWorkspace[], { workspaceKey }: JudgedConnection): LockedRecords {
  const home = locked.filter(({ key }) => key === workspaceKey);
  if (home.length === 0) throw new OutdatedError();
  return new LockedRecords(home);
}

/** Locks the users whom a request names as members, and all members whom the connection knows if none of them need stay. */
export async function lockMembers(
  manager: EntityManager,
  { key }: Connection,
  groupKey: string | undefined,
  changes: MemberChanges,
): Promise<LockedUsers> {
  if (changes.isEmpty) return new LockedUsers([]);
  const ids = [...changes.added, ...changes.removed].filter(isIdentifier);
  const rows: { key: string }[] = await manager.query(
    `SELECT user_key AS key FROM scim_users WHERE connection_key = $1 AND id = ANY ($2)
     UNION SELECT kept.user_key FROM group_memberships AS m JOIN scim_users AS kept USING (user_key)
     WHERE $4 AND m.group_key = $3 AND kept.connection_key = $1`,
    [key, ids, groupKey ?? null, changes.cleared],
  );
  return LockedUsers.lock(
    manager,
    rows.map((row) => row.key),
  );
}
