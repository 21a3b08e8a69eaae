/**
 * The status of a user at the moment, as SQL over a row of `users`: an account that has ended is inactive, even if
 * nothing has carried it out yet.
 */
export function currentStatus(user: string): string {
  return `CASE WHEN has_ended(${user}.active_until, ${user}.end_refused_at) THEN 'inactive' ELSE ${user}.status END`;
}
