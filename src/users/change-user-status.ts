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
  /** The new status; without it, the status is toggled. */
  status?: UserStatus;
  /** The status token that permits the change, once. */
  token?: { id: string; expiresAt: Date };
  /** The user or service that granted the permission. */
  granter: Actor;
}

export type StatusOutcome = 'changed' | 'unchanged';

/**
 * Sets the status of a user and appends to the journal, with one call of the SQL function `change_user_status`, whose
 * file documents its locks and their order. If the user has the status already, only the token is spent.
 *
 * @throws the error of the database, which `Transactions` turns into `status.not_permitted` or `directory.last_administrator`
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
