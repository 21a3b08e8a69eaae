import type { EntityManager } from 'typeorm';
import { currentStatus } from '../../directory/current-status';
import type { User } from '../../directory/user.entity';

/** A user that has an address, or waits for it. */
export interface Person extends Pick<User, 'key' | 'id' | 'email' | 'displayName' | 'type' | 'status'> {
  /** The key of the connection of the user, if there is one. */
  connectionKey: string | null;
  /** Whether a connection has deleted the user, and no connection has the user now. */
  hasLeft: boolean;
  waitsFor: string | null;
  waitsSince: Date | null;
}

/** An address, its owner and the next user that waits for it. */
export interface Address {
  owner?: Person;
  /**
   * The active user of the connection that has waited longest, other than the user of the request. Without
   * `mayGrantAdministrator`, administrators never get an address.
   */
  waiter?: Person;
}

/** The addresses that a request concerns, as it writes them. */
export type Addresses = ReadonlyMap<string, Address>;

const PERSON = `u.key, u.id, u.email, u.display_name AS "displayName", u.type, ${currentStatus('u')} AS status,
p.connection_key AS "connectionKey",
  EXISTS (SELECT FROM scim_leavers AS gone WHERE gone.user_key = u.key) AS "hasLeft",
  p.waits_for AS "waitsFor", p.waits_since AS "waitsSince"`;

/** @param userKey the user of the request; null before it exists */
export async function findAddresses(
  manager: EntityManager,
  connectionKey: string,
  emails: readonly (string | null)[],
  userKey: string | null,
): Promise<Addresses> {
  const found = new Map<string, Address>();
  const asked = [...new Set(emails)].filter((email) => email !== null);
  if (asked.length === 0) return found;
  const rows: (Person & { asked: string; role: keyof Address })[] = await manager.query(
    `SELECT asked, 'owner' AS role, ${PERSON} FROM unnest($2::text[]) AS asked
     JOIN users AS u ON fold_case(u.email) = fold_case(asked) LEFT JOIN scim_users AS p ON p.user_key = u.key
     UNION ALL
     SELECT asked, 'waiter', waiting.* FROM unnest($2::text[]) AS asked CROSS JOIN LATERAL (
       SELECT ${PERSON} FROM scim_users AS p JOIN users AS u ON u.key = p.user_key
       JOIN scim_connections AS c ON c.key = p.connection_key
       WHERE c.key = $1 AND p.waits_for IS NOT NULL AND fold_case(p.waits_for) = fold_case(asked)
         AND p.user_key IS DISTINCT FROM $3::bigint
         AND u.status = 'active' AND u.email IS NULL AND (u.type <> 'administrator' OR c.may_grant_administrator)
       ORDER BY p.waits_since, p.key LIMIT 1
     ) AS waiting`,
    [connectionKey, asked, userKey],
  );
  for (const { asked: email, role, ...person } of rows) found.set(email, { ...found.get(email), [role]: person });
  return found;
}

export function addressOf(addresses: Addresses, email: string | null): Address {
  return (email === null ? undefined : addresses.get(email)) ?? {};
}

/** The keys of all these users, for their locks. */
export function personKeys(addresses: Addresses): string[] {
  return [...addresses.values()].flatMap(({ owner, waiter }) => [owner, waiter].flatMap((one) => one?.key ?? []));
}
