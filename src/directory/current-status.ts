/**
 * The status of a user at the moment, as SQL over a row of `users`: an account that has ended is inactive, even if
 * nothing has carried it out yet.
 */
export function currentStatus(user: string): string {
  return `CASE WHEN ${accountHasEnded(user)} THEN 'inactive' ELSE ${user}.status END`;
}

/** Whether an account has ended, as SQL over a row of `users`. */
export function accountHasEnded(user: string): string {
  return `account_has_ended(${user}.key, ${user}.type, ${user}.active_until, ${user}.end_refused_at)`;
}
