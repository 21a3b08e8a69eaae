import type { EntityManager } from 'typeorm';
import type { User } from '../directory/user.entity';
import { type Leaver, leaverColumn, leaverKeys } from './leavers';
import type { UserFields } from './user-fields';

/** A user who may be the one whom a POST means. */
export interface Candidate extends Pick<User, 'key' | 'id' | 'email' | 'displayName' | 'type' | 'status'> {
  hasId: boolean | null;
  hasEmail: boolean | null;
  /** Of its connection, if it has one. */
  connectionKey: string | null;
  leaver: Leaver | null;
}

/**
 * Finds the users with the id or the email of a new one, and those who have left and may come back.
 *
 * @param id the value that becomes the id of a new user, if it can be the id of a user who is there
 */
export function findCandidates(
  manager: EntityManager,
  connectionKey: string,
  { userName, externalId, email }: UserFields,
  id: string | null,
): Promise<Candidate[]> {
  return manager.query(
    `SELECT u.key, u.id, u.email, u.display_name AS "displayName", u.type, u.status, u.id = $4::text AS "hasId",
       fold_case(u.email) = fold_case($5::text) AS "hasEmail", p.connection_key AS "connectionKey",
       ${leaverColumn('$1::bigint', '$2', '$3')} AS leaver
     FROM users AS u LEFT JOIN scim_users AS p ON p.user_key = u.key LEFT JOIN scim_leavers AS gone ON gone.user_key = u.key
     WHERE u.key = ANY (ARRAY(
       SELECT key FROM users WHERE id = $4::text UNION ALL SELECT key FROM users WHERE fold_case(email) = fold_case($5::text)
       UNION ALL ${leaverKeys('$2', '$3')}
     )) ORDER BY gone.left_at DESC NULLS LAST, u.key`,
    [connectionKey, externalId, userName, id, email],
  );
}
