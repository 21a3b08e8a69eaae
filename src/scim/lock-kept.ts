import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { OvertakenError } from '../database/database-errors';
import { waitForImports } from '../directory/import-turns';
import { LockedUsers } from '../directory/locked-users';
import type { Connection } from './current-connection';
import { type Addresses, findAddresses, personKeys } from './find-addresses';
import { type JudgedConnection, judgeConnection } from './judge-connection';
import { findKept, type KeptUser, keptById } from './kept-user';

/** What a change of a user needs to have locked. */
interface Needs {
  /** The addresses that it concerns. */
  emails: readonly (string | null)[];
  /** Whether it gives the user another id. */
  renames: boolean;
}

export interface LockedKept {
  kept: KeptUser;
  connection: JudgedConnection;
  addresses: Addresses;
}

/**
 * Locks a user of a connection, and those who have or want the same addresses, and then judges the connection. What is
 * kept of a user only changes while the user is locked.
 *
 * @param needsOf is asked before the locks and after them
 * @throws ServiceError `auth.token_invalid`, `user.unknown`; OvertakenError if the change needs other locks by now
 */
export async function lockKept(
  manager: EntityManager,
  id: string,
  from: Connection,
  context: ChangeContext,
  needsOf: (kept: KeptUser) => Needs,
): Promise<LockedKept> {
  const seen = await keptById(manager, from.key, id);
  const { emails, renames } = seen ? needsOf(seen) : { emails: [], renames: false };
  const near = await findAddresses(manager, from.key, emails, seen?.userKey ?? null);
  if (renames) await waitForImports(manager);
  const keys = seen ? [seen.userKey, ...personKeys(near)] : [];
  const users = await LockedUsers.lock(manager, keys, renames ? 'UPDATE' : 'NO KEY UPDATE');
  const connection = await judgeConnection(manager, from, context);
  const kept = seen && (await findKept(manager, connection.key, seen.userKey));
  if (!kept) throw new ServiceError('user.unknown');
  const needs = needsOf(kept);
  const addresses = await findAddresses(manager, connection.key, needs.emails, kept.userKey);
  requireLocked(users, [kept.userKey, ...personKeys(addresses)]);
  if (needs.renames && !renames) throw new OvertakenError('the user now needs another id');
  return { kept, connection, addresses };
}

/** @throws OvertakenError */
export function requireLocked(users: LockedUsers, keys: readonly string[]): void {
  const locked = new Set(users.keys);
  if (!keys.every((key) => locked.has(key)))
    throw new OvertakenError('others got the addresses before they were locked');
}
