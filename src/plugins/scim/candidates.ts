import type { EntityManager } from 'typeorm';
import { type ChangeContext, isIdentifier } from '../door';
import { waitToRename } from '../../directory/rename-lock';
import { LockedUsers } from '../../directory/locked-users';
import { currentStatus } from '../../directory/current-status';
import type { User } from '../../directory/user.entity';
import { type Addresses, findAddresses, personKeys } from './find-addresses';
import { type JudgedConnection, judgeConnection } from './judge-connection';
import { hasLeft, type Leaver, leaverColumn, leaverKeys } from './leavers';
import { requireLocked } from './lock-user';
import { ScimError } from './scim-error';
import type { Connection } from './scim-request';
import { idIn } from './user-conflicts';
import type { UserFields } from './user-fields';

/** A user that a POST may mean. */
export interface Candidate extends Pick<User, 'key' | 'id' | 'email' | 'displayName' | 'type' | 'status'> {
  hasId: boolean | null;
  hasEmail: boolean | null;
  /** The key of the connection of the user, if there is one. */
  connectionKey: string | null;
  leaver: Leaver | null;
}

interface LockedCandidates {
  connection: JudgedConnection;
  candidates: Candidate[];
  addresses: Addresses;
}

/**
 * Locks all users that a POST may concern, and then judges the connection.
 *
 * @throws ServiceError `auth.token_invalid`; OvertakenError if it concerns other users after the locks
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
  // A user that comes back can get another id.
  const renames = near.candidates.some(({ leaver }) => leaver?.isSame);
  if (renames) await waitToRename(manager);
  const users = await LockedUsers.lock(manager, near.keys, renames ? 'UPDATE' : 'NO KEY UPDATE');
  const connection = await judgeConnection(manager, from, context);
  const { candidates, addresses, keys } = await read();
  requireLocked(users, keys);
  return { connection, candidates, addresses };
}

/**
 * Chooses the user that a POST means: the leaver with the external id, else the user whose id that is, else the leaver
 * with the name that left last, else the user with the id, else the user with the email that has never left.
 *
 * @param candidates who left last comes first
 * @returns undefined for a new one
 * @throws ScimError `uniqueness` if another user has the id
 */
export function chooseCandidate(
  candidates: readonly Candidate[],
  { key: connectionKey, idFrom }: Connection,
): Candidate | undefined {
  const back = candidates.filter(({ leaver }) => leaver?.holds && leaver.isSame);
  const withId = candidates.find(({ hasId }) => hasId);
  // The id of a record that no connection has tells as much as an external id, if it is made of one.
  const isWithId =
    withId?.connectionKey === null && (withId.leaver ? withId.leaver.hasExternalId : idFrom === 'externalId');
  const sameExternalId = back.filter(({ leaver }) => leaver?.hasExternalId);
  const comesBack =
    sameExternalId.find(({ leaver }) => leaver?.isOurs) ?? sameExternalId[0] ?? (isWithId ? withId : back[0]);
  if (comesBack) return comesBack;
  if (withId?.leaver && !withId.leaver.isSame) throw hasLeft();
  if (withId && withId.connectionKey !== null) {
    const whose =
      withId.connectionKey === connectionKey ? 'Another user of this connection' : 'A user of another connection';
    throw new ScimError('uniqueness', `${whose} has this id.`);
  }
  return withId ?? candidates.find(({ hasEmail, connectionKey: of, leaver }) => hasEmail && of === null && !leaver);
}

/**
 * Finds the users with the id or the email of a new one, and the leavers that may come back.
 *
 * @param id the value that becomes the id of a new user; null if no user can have this id
 */
function findCandidates(
  manager: EntityManager,
  connectionKey: string,
  { userName, externalId, email }: UserFields,
  id: string | null,
): Promise<Candidate[]> {
  return manager.query(
    `SELECT u.key, u.id, u.email, u.display_name AS "displayName", u.type, ${currentStatus('u')} AS status, u.id =
    $4::text AS "hasId",
       fold_case(u.email) = fold_case($5::text) AS "hasEmail", p.connection_key AS "connectionKey",
       ${leaverColumn('$1::bigint', '$2', '$3')} AS leaver
     FROM users AS u LEFT JOIN scim_users AS p ON p.user_key = u.key LEFT
       JOIN scim_leavers AS gone ON gone.user_key = u.key
     WHERE u.key = ANY (ARRAY(
       SELECT key FROM users WHERE id = $4::text UNION ALL SELECT key FROM users
         WHERE fold_case(email) = fold_case($5::text)
       UNION ALL ${leaverKeys('$2', '$3')}
     )) ORDER BY gone.left_at DESC NULLS LAST, u.key`,
    [connectionKey, externalId, userName, id, email],
  );
}
