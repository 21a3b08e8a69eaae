import type { EntityManager } from 'typeorm';
import type { MemberChanges } from '@user-administration/scim-protocol';
import type { ChangeContext } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { OvertakenError } from '../database/database-errors';
import { LockedRecords } from '../directory/locked-records';
import type { Workspace } from '../directory/workspace.entity';
import type { Connection } from './current-connection';
import { type JudgedConnection, judgeConnection } from './judge-connection';
import { FROM_GROUPS, GROUP_COLUMNS, type ProvisionedGroup } from './provisioned-group';

type LockedWorkspace = Pick<Workspace, 'key' | 'id'>;

interface LockedGroup {
  group: ProvisionedGroup;
  connection: JudgedConnection;
  /** The keys of the locked users: see {@link lockMembers}. */
  users: string[];
}

export async function findGroup(
  manager: Pick<EntityManager, 'query'>,
  id: string,
  { key }: Pick<Connection, 'key'>,
): Promise<ProvisionedGroup | undefined> {
  if (!isIdentifier(id)) return undefined;
  const [found]: ProvisionedGroup[] = await manager.query(
    `SELECT ${GROUP_COLUMNS} FROM ${FROM_GROUPS} WHERE c.key = $1 AND g.id = $2`,
    [key, id],
  );
  return found;
}

/**
 * Locks a group, its workspace and its members until the transaction ends, and then judges the connection.
 *
 * @throws ServiceError `auth.token_invalid`, `group.unknown`
 */
export async function lockGroup(
  manager: EntityManager,
  id: string,
  from: Connection,
  context: ChangeContext,
  changes: MemberChanges,
): Promise<LockedGroup> {
  const { groupKey, users } = await lockMembers(manager, from, id, changes);
  const connection = await judgeConnection(manager, from, context);
  const group = await findGroup(manager, id, from);
  // Another group can have got the id while this one was waited for.
  if (!group || group.key !== groupKey) throw new ServiceError('group.unknown');
  return { group, connection, users };
}

/**
 * Locks the users whom a request names as members, and all members whom the connection knows if none of them need stay.
 * `sql/lock_scim_group.sql` says what else it locks.
 *
 * @param id null for a new group
 */
export async function lockMembers(
  manager: EntityManager,
  { key }: Connection,
  id: string | null,
  { added, removed, cleared }: MemberChanges,
): Promise<{ groupKey: string | null; users: string[] }> {
  const ids = [...added, ...removed].filter(isIdentifier);
  const [locked] = await manager.query<[{ groupKey: string | null; users: string[] }]>(
    `SELECT group_key AS "groupKey", user_keys AS users
     FROM lock_scim_group(connection_key => $1, group_id => $2, member_ids => $3, cleared => $4)`,
    [key, isIdentifier(id) ? id : null, ids, cleared],
  );
  return locked;
}

/**
 * Locks the workspaces of a connection against its own namings and those of other connections, so that a name that is
 * free stays so. Assignments do not wait for it.
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
 * @throws OvertakenError if it got another one since {@link lockNames}
 */
export function requireLocked(locked: readonly LockedWorkspace[], { workspaceKey }: JudgedConnection): LockedRecords {
  const home = locked.filter(({ key }) => key === workspaceKey);
  if (home.length === 0) throw new OvertakenError('the connection got another workspace');
  return new LockedRecords(home);
}
