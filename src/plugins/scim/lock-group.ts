import type { EntityManager } from 'typeorm';
import type { MemberChanges } from '@user-administration/scim-protocol';
import { OvertakenError } from '@user-administration/postgres';
import { type ChangeContext, isIdentifier, ServiceError } from '../door';
import { LockedRecords } from '../../directory/locked-records';
import type { Workspace } from '../../directory/workspace.entity';
import { comparableName } from './group-fields';
import { type JudgedConnection, judgeConnection } from './judge-connection';
import { FROM_GROUPS, GROUPS, type ProvisionedGroup } from './provisioned-group';
import { findResource } from './resource-kind';
import { ScimError } from './scim-error';
import type { Connection } from './scim-request';

type LockedWorkspace = Pick<Workspace, 'key' | 'id'>;

interface LockedGroup {
  group: ProvisionedGroup;
  connection: JudgedConnection;
  /** The keys of the locked users: see {@link lockMembers}. */
  users: string[];
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
  const group = await findResource(manager, GROUPS, id, from);
  // Another group can have received the id during the wait for the lock.
  if (!group || group.key !== groupKey) throw new ServiceError('group.unknown');
  return { group, connection, users };
}

/**
 * Locks the users that a request names as members and, if the request clears the members, all members that the
 * connection knows. `sql/lock_scim_group.sql` lists its other locks.
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
 * Locks the workspaces of a connection, so that no connection takes a free name during the transaction. Assignments do
 * not wait for this lock.
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
 * @throws OvertakenError if the connection got another workspace after {@link lockNames}
 */
export function requireLocked(locked: readonly LockedWorkspace[], { workspaceKey }: JudgedConnection): LockedRecords {
  const home = locked.filter(({ key }) => key === workspaceKey);
  if (home.length === 0) throw new OvertakenError('the connection got another workspace');
  return new LockedRecords(home);
}

/**
 * Keeps the names of the groups that a connection sees distinct, because providers find groups by name. Administrators
 * can still give two groups one name.
 *
 * @param own the key of the group that gets the name
 * @throws ScimError `uniqueness`
 */
export async function requireFreeName(
  manager: EntityManager,
  { key }: Connection,
  name: string,
  own = '0',
): Promise<void> {
  const others: unknown[] = await manager.query(
    `SELECT FROM ${FROM_GROUPS}
     WHERE c.key = $1 AND ${comparableName('g.name')} = fold_case($2) AND g.key <> $3 LIMIT 1`,
    [key, name, own],
  );
  if (others.length > 0) throw new ScimError('uniqueness', 'Another group has this displayName.');
}
