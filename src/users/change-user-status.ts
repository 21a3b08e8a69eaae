import type { Attribution } from '../contract/attribution';
import type { UserStatus } from '../contract/directory';
import type { Actor } from '../contract/journal';
import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import { recordableAttribution, recordableId } from '../journal/recordable';

const CHANGE_USER_STATUS = prepared(
  'change_user_status',
  'SELECT change_user_status($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS outcome',
);

export interface StatusChange {
  /** A well-formed id. */
  userId: string;
  /** The status that the user gets; left out, the other one than it has. */
  status?: UserStatus;
  /** The status token that permits this, which works once. */
  token?: { id: string; expiresAt: Date };
  /** Who gave the permission. */
  granter: Actor;
}

export type StatusOutcome = 'changed' | 'unchanged';

/**
 * Gives a user a status and appends that to the journal: one call of the database's function `change_user_status`, whose file
 * says what it locks in which order. For a user who has the status already, only the token is spent.
 *
 * @throws what the database raises, which `Transactions` turns into `status.not_permitted` or `directory.last_administrator`
 */
export async function changeUserStatus(
  sender: Queryable,
  { userId, status, token, granter }: StatusChange,
  attribution: Attribution,
): Promise<StatusOutcome> {
  const [row] = (await sender.query(CHANGE_USER_STATUS, [
    userId,
    status ?? null,
    token?.id ?? null,
    token?.expiresAt ?? null,
    granter.kind,
    recordableId(granter.id),
    ...recordableAttribution(attribution),
  ])) as [{ outcome: StatusOutcome }];
  return row.outcome;
}
