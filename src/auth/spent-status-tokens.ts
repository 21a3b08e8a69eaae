import type { EntityManager } from 'typeorm';

/** An expired token is refused as such; its row is kept a while longer, because clocks of servers differ. */
const KEPT_AFTER_EXPIRY = '1 hour';

/** Forgets spent tokens that have expired: they are refused for that alone. Whoever is at it already is not waited for. */
export async function forgetExpiredStatusTokens(manager: EntityManager): Promise<void> {
  await manager.query(
    `DELETE FROM spent_status_tokens WHERE id IN (
       SELECT id FROM spent_status_tokens WHERE expires_at < now() - interval '${KEPT_AFTER_EXPIRY}'
       ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  );
}
