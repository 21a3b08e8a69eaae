import type { UserStatus } from '../contract/directory';
import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import type { Attribution } from '../contract/attribution';
import { recordableAttribution } from '../journal/recordable';

const CHANGE_USER_STATUS = prepared(
  'change_user_status',
  'SELECT change_user_status($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS status',
);

export interface StatusChange {
  /** A well-formed id. */
  userId: string;
  /** The status that the user gets; left out, the other one than it has. */
  status?: UserStatus;
  /** The token that permits this, where it works only once. */
  token?: {
    id: string;
    expiresAt: Date;
    /** A user who must still be an administrator when it is first used. */
    mintedBy: string | undefined;
  };
}

/**
 * Gives a user a status and tells the journal, in one call of the database's function `change_user_status`. Nothing is
 * written for a user who has the status already, except that the token is spent.
 *
 * It locks the user before it looks at anything, and spends the token by one guarded write, whose row count is the verdict:
 * first use, or a repetition, which is a success while the status that the token names still stands.
 *
 * @returns the status that the user got; null when it was the status already
 * @throws what the database raised, which `Transactions` turns into `status.not_permitted` or `status.last_administrator`
 */
export async function changeUserStatus(
  sender: Queryable,
  { userId, status, token }: StatusChange,
  attribution: Attribution,
): Promise<UserStatus | null> {
  const [row] = await sender.query<{ status: UserStatus | null }[]>(CHANGE_USER_STATUS, [
    userId,
    status ?? null,
    token?.id ?? null,
    token?.expiresAt ?? null,
    token?.mintedBy ?? null,
    ...recordableAttribution(attribution),
  ]);
  return row?.status ?? null;
}
