import type { EntityManager } from 'typeorm';

/** An expired token is refused because it has expired. Its row is kept a little longer, because the clocks of servers differ. */
export const KEPT_AFTER_EXPIRY = '1 hour';

/**
 * Removes spent tokens that have expired, because they are refused for that reason alone. It skips rows that another
 * process has locked.
 */
export async function forgetExpiredStatusTokens(manager: EntityManager): Promise<void> {
  await manager.query(
    `DELETE FROM spent_status_tokens WHERE id IN (
       SELECT id FROM spent_status_tokens WHERE expires_at < now() - interval '${KEPT_AFTER_EXPIRY}'
       ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  );
}
