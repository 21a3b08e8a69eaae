/**
 * The status of a user at the moment, as SQL over a row of `users`: an account that has ended is inactive, even if
 * nothing has carried it out yet.
 */
export function currentStatus(user: string): string {
  return `CASE WHEN ${accountHasEnded(user)} THEN 'inactive' ELSE ${user}.status END`;
}

/**
 * Whether a membership has ended, as SQL over a row of memberships: not of the administrator who stays, see
 * `kept_administrator`, who is looked up only if an end has passed.
 */
export function membershipHasEnded(membership: string): string {
  return (
    `(has_ended(${membership}.ends_at, ${membership}.end_refused_at) AND ${membership}.user_key IS DISTINCT FROM ` +
    '(SELECT kept_administrator(ends_clock())))'
  );
}

/** Whether an account has ended, as SQL over a row of `users`. */
export function accountHasEnded(user: string): string {
  return `account_has_ended(${user}.key, ${user}.type, ${user}.active_until, ${user}.end_refused_at)`;
}
