import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import { isIdentifier } from '../contract/identifiers';
import { waitForImports } from '../directory/import-lock';
import { LockedUsers } from '../directory/locked-users';
import type { Connection } from './current-connection';
import { type Addresses, findAddresses, personKeys } from './find-addresses';
import { type Candidate, findCandidates } from './find-candidates';
import { type JudgedConnection, judgeConnection } from './judge-connection';
import { requireLocked } from './lock-user';
import { idIn } from './user-conflicts';
import type { UserFields } from './user-fields';

interface LockedCandidates {
  connection: JudgedConnection;
  candidates: Candidate[];
  addresses: Addresses;
}

/**
 * Locks all whom a POST may concern, and then judges the connection.
 *
 * @throws ServiceError `auth.token_invalid`; OvertakenError if it concerns others by now
 */
export async function lockCandidates(
  manager: EntityManager,
  fields: UserFields,
  from: Connection,
  context: ChangeContext,
): Promise<LockedCandidates> {
  const given = idIn(fields, from.idFrom);
  const read = async () => {
    const candidates = await findCandidates(manager, from.key, fields, isIdentifier(given) ? given : null);
    const emails = [fields.email, ...candidates.map(({ email }) => email)];
    const addresses = await findAddresses(manager, from.key, emails, null);
    return { candidates, addresses, keys: [...candidates.map(({ key }) => key), ...personKeys(addresses)] };
  };
  const near = await read();
  // Who comes back can get another id.
  const renames = near.candidates.some(({ leaver }) => leaver?.isSame);
  if (renames) await waitForImports(manager);
  const users = await LockedUsers.lock(manager, near.keys, renames ? 'UPDATE' : 'NO KEY UPDATE');
  const connection = await judgeConnection(manager, from, context);
  const { candidates, addresses, keys } = await read();
  requireLocked(users, keys);
  return { connection, candidates, addresses };
}
