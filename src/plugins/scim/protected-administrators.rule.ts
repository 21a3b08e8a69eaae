/**
 * Without `mayGrantAdministrator`, a connection makes no administrator, and changes none except to deactivate one.
 *
 * - It takes over no administrator, changes and activates none, and takes no address from one ({@link isProtected}).
 * - Its changes of a user make no administrator ({@link requireNoneMade}): an application's own rule can derive types
 *   from ids and emails.
 * - It adds no user to a group that makes administrators ({@link requireGrantable}), and no change of members makes an
 *   administrator or takes one away ({@link requireSameAdministrators}): an application's own rule can do so.
 * - It makes no reader: it adds no user to a group that makes one of the user ({@link requireGrantable}), and activates
 *   nobody who holds the permission ({@link requireNoReaderMade}). It changes readers like others.
 * - It gives no user the id of a service, which has no record and would be refused from then on ({@link
 *   refusalOfServiceId}).
 */
import type { EntityManager } from 'typeorm';
import { ServiceError } from '../door';
import type { UserStatus, UserType } from '../../contract/directory';
import { currentStatus } from '../../directory/current-status';
import type { JudgedConnection } from './judge-connection';
import type { RecordedChange } from '../../users/recorded-changes';

/** The refusal of a change that the connection may not make. */
export function notPermitted(cause: string): ServiceError {
  return new ServiceError('auth.administrator_required', {}, { cause: `the connection may not do this: ${cause}` });
}

type Connection = Pick<JudgedConnection, 'mayGrantAdministrator'>;

/** Whether a user may only be deactivated. */
export function isProtected(user: { type: UserType } | undefined, { mayGrantAdministrator }: Connection): boolean {
  return user?.type === 'administrator' && !mayGrantAdministrator;
}

/** @param before undefined for a new user @throws ServiceError `auth.administrator_required` */
export function requireNoneMade(connection: Connection, before: UserType | undefined, after: UserType): void {
  if (after !== before && isProtected({ type: after }, connection))
    throw notPermitted('it would make an administrator');
}

/** Whether a group or its workspace makes administrators, as SQL over their keys. */
export const makesAdministrators = (group: string, workspace: string): string => `EXISTS (
  SELECT FROM permissions WHERE grants = 'administrator' AND key IN (
    SELECT permission_key FROM group_permissions WHERE group_key = ${group}
    UNION ALL SELECT permission_key FROM workspace_permissions WHERE workspace_key = ${workspace}
  ))`;

/**
 * Call this before users join a group.
 *
 * @param makes {@link makesAdministrators} and {@link makesReader}, read while both are locked
 * @throws ServiceError `auth.administrator_required`
 */
export function requireGrantable(
  { mayGrantAdministrator }: Connection,
  makes: { administrators: boolean; readers: boolean },
): void {
  if (mayGrantAdministrator) return;
  if (makes.administrators) throw notPermitted('the group, or its workspace, makes administrators');
  if (makes.readers) throw notPermitted('the group, or its workspace, makes readers');
}

/**
 * Whether a group or its workspace makes a reader of a user who is none, as SQL over their keys. An active user who
 * holds the permission in another way is one already.
 *
 * @param user the name of the table of users
 */
export const makesReader = (group: string, workspace: string, user: string, permission: string): string => `EXISTS (
  SELECT FROM permissions AS reading WHERE reading.id = ${permission} AND reading.key IN (
    SELECT permission_key FROM group_permissions WHERE group_key = ${group}
    UNION ALL SELECT permission_key FROM workspace_permissions WHERE workspace_key = ${workspace}
  ) AND NOT (${currentStatus(user)} = 'active' AND EXISTS (
    SELECT FROM held_permissions() AS held WHERE held.user_key = ${user}.key AND held.permission_key = reading.key
  )))`;

/**
 * Call this before the status of a user changes.
 *
 * @param permission the one that makes readers
 * @throws ServiceError `auth.administrator_required` for an inactive holder of the permission, who would become a
 *   reader
 */
export async function requireNoReaderMade(
  manager: EntityManager,
  { mayGrantAdministrator }: Connection,
  userKey: string,
  [before, after]: [UserStatus, UserStatus],
  permission: string,
): Promise<void> {
  if (mayGrantAdministrator || before === after || after === 'inactive') return;
  const [{ holds }] = await manager.query<[{ holds: boolean }]>('SELECT holds_permission($1, $2) AS holds', [
    userKey,
    permission,
  ]);
  if (holds) throw notPermitted('it makes a reader');
}

/** @throws ServiceError `auth.administrator_required` */
export function requireSameAdministrators(connection: Connection, changes: readonly RecordedChange[]): void {
  for (const change of changes) {
    if (change.action !== 'user.type.changed') continue;
    if (isProtected(change.before, connection) || isProtected(change.after, connection))
      throw notPermitted('it makes an administrator, or takes one away');
  }
}

export function refusalOfServiceId({ mayGrantAdministrator }: Connection): ServiceError | undefined {
  return mayGrantAdministrator ? undefined : notPermitted('the id is that of a service');
}
