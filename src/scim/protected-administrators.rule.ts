/**
 * Without `mayGrantAdministrator`, a connection makes no administrator and changes none, but for deactivating one.
 *
 * - It takes over no administrator, changes and activates none, and takes no address from one ({@link isProtected}).
 * - What it does to a user makes no administrator ({@link requireNoneMade}): an application's own rule can derive types
 *   from ids and emails.
 * - It adds nobody to a group that makes administrators ({@link requireGrantable}), and no change of members makes an
 *   administrator or takes one away ({@link requireSameAdministrators}): an application's own rule can do so.
 * - It gives nobody the id of a service, which needs no record and would be refused from then on
 *   ({@link refusalOfServiceId}).
 */
import type { EntityManager } from 'typeorm';
import type { UserType } from '../contract/directory';
import type { ServiceError } from '../contract/errors';
import type { JudgedConnection } from './judge-connection';
import type { KeptGroup } from './kept-group';
import { notPermitted } from './not-permitted';

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

/**
 * Call this before users join a group. The group and its workspace are locked, so nobody changes what they grant.
 *
 * @throws ServiceError `auth.administrator_required`
 */
export async function requireGrantable(
  manager: EntityManager,
  { mayGrantAdministrator }: Connection,
  { key, workspaceKey }: Pick<KeptGroup, 'key' | 'workspaceKey'>,
): Promise<void> {
  if (mayGrantAdministrator) return;
  const granting: unknown[] = await manager.query(
    `SELECT FROM permissions WHERE grants = 'administrator' AND key IN (
       SELECT permission_key FROM group_permissions WHERE group_key = $1
       UNION ALL SELECT permission_key FROM workspace_permissions WHERE workspace_key = $2
     ) LIMIT 1`,
    [key, workspaceKey],
  );
  if (granting.length > 0) throw notPermitted('the group, or its workspace, makes administrators');
}

/** @param changed users with their types before @throws ServiceError `auth.administrator_required` */
export async function requireSameAdministrators(
  manager: EntityManager,
  { mayGrantAdministrator }: Connection,
  changed: readonly { key: string; type: UserType }[],
): Promise<void> {
  if (mayGrantAdministrator) return;
  const rows: { key: string }[] = await manager.query(
    `SELECT key FROM users WHERE key = ANY ($1) AND type = 'administrator'`,
    [changed.map(({ key }) => key)],
  );
  const now = new Set(rows.map(({ key }) => key));
  if (changed.some(({ key, type }) => now.has(key) !== (type === 'administrator')))
    throw notPermitted('it makes an administrator, or takes one away');
}

export function refusalOfServiceId({ mayGrantAdministrator }: Connection): ServiceError | undefined {
  return mayGrantAdministrator ? undefined : notPermitted('the id is that of a service');
}
