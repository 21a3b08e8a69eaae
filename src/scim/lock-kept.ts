import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LockedUsers } from '../directory/locked-users';
import type { Connection } from './current-connection';
import { type JudgedConnection, judgeConnection } from './judge-connection';
import { findKept, type KeptUser } from './kept-user';

/**
 * Locks a user of a connection, and then judges the connection. What is kept of a user only changes while the user is locked.
 *
 * @throws ServiceError `auth.token_invalid`, `user.unknown`
 */
export async function lockKept(
  manager: EntityManager,
  id: string,
  from: Connection,
  context: ChangeContext,
): Promise<{ kept: KeptUser; connection: JudgedConnection }> {
  const userKey = await userKeyOf(manager, id, from);
  const users = await LockedUsers.lock(manager, userKey === undefined ? [] : [userKey]);
  const connection = await judgeConnection(manager, from, context);
  const [locked] = users.keys;
  const kept = locked === undefined ? undefined : await findKept(manager, connection.key, locked);
  if (!kept) throw new ServiceError('user.unknown');
  return { kept, connection };
}

/** The key of the user with this id of SCIM; undefined if the connection has none. */
export async function userKeyOf(manager: EntityManager, id: string, { key }: Connection): Promise<string | undefined> {
  if (!isIdentifier(id)) return undefined;
  const [found]: { userKey: string }[] = await manager.query(
    'SELECT user_key AS "userKey" FROM scim_users WHERE connection_key = $1 AND id = $2',
    [key, id],
  );
  return found?.userKey;
}
