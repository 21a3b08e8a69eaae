import type { EntityManager } from 'typeorm';
import { OvertakenError } from '@user-administration/postgres';
import { type ChangeContext, ServiceError } from '../door';
import { waitToRename } from '../../directory/rename-lock';
import { LockedUsers } from '../../directory/locked-users';
import type { Connection } from './scim-request';
import { type Addresses, findAddresses, personKeys } from './find-addresses';
import { type JudgedConnection, judgeConnection } from './judge-connection';
import { findProvisioned, type ProvisionedUser, USERS } from './provisioned-user';
import { findResource } from './resource-kind';

/** The locks that a change of a user needs. */
interface Needs {
  /** The addresses that the change concerns. */
  emails: readonly (string | null)[];
  /** Whether the change gives the user another id. */
  renames: boolean;
}

export interface LockedUser {
  user: ProvisionedUser;
  connection: JudgedConnection;
  addresses: Addresses;
}

/**
 * Locks a user of a connection and the users that have or want the same addresses, and then judges the connection. Rows
 * of `scim_users` change only while their user is locked.
 *
 * @param needsOf called before the locks and after them
 * @throws ServiceError `auth.token_invalid`, `user.unknown`; OvertakenError if the change needs other locks afterwards
 */
export async function lockUser(
  manager: EntityManager,
  id: string,
  from: Connection,
  context: ChangeContext,
  needsOf: (user: ProvisionedUser) => Needs,
): Promise<LockedUser> {
  const seen = await findResource(manager, USERS, id, from);
  const { emails, renames } = seen ? needsOf(seen) : { emails: [], renames: false };
  const near = await findAddresses(manager, from.key, emails, seen?.userKey ?? null);
  if (renames) await waitToRename(manager);
  const keys = seen ? [seen.userKey, ...personKeys(near)] : [];
  const users = await LockedUsers.lock(manager, keys, renames ? 'UPDATE' : 'NO KEY UPDATE');
  const connection = await judgeConnection(manager, from, context);
  const user = seen && (await findProvisioned(manager, connection.key, seen.userKey));
  if (!user) throw new ServiceError('user.unknown');
  const needs = needsOf(user);
  const addresses = await findAddresses(manager, connection.key, needs.emails, user.userKey);
  requireLocked(users, [user.userKey, ...personKeys(addresses)]);
  if (needs.renames && !renames) throw new OvertakenError('the user now needs another id');
  return { user, connection, addresses };
}

/** @throws OvertakenError */
export function requireLocked(users: LockedUsers, keys: readonly string[]): void {
  const locked = new Set(users.keys);
  if (!keys.every((key) => locked.has(key)))
    throw new OvertakenError('others got the addresses before they were locked');
}
