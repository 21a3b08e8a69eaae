import type { Transactions } from '../database/transactions';

const KEPT_DAYS = 30;
const BATCH = 1_000;

/** Of the webhooks that have deliveries, those that are no more. Jumps from one to the next, past all their deliveries. */
const REMOVED_WEBHOOKS = `
  WITH RECURSIVE known AS (
    (SELECT subscription_id AS id FROM webhook_deliveries ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT subscription_id FROM webhook_deliveries WHERE subscription_id > known.id ORDER BY 1 LIMIT 1)
    FROM known WHERE known.id IS NOT NULL
  )
  SELECT id FROM known WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_subscriptions AS s WHERE s.id = known.id)`;

/**
 * Removes deliveries that are over for thirty days, and those of webhooks that are no more, some at a time. Whoever else is at
 * it is not waited for.
 *
 * @returns whether there may be more
 */
export async function sweepDeliveries(transactions: Transactions): Promise<boolean> {
  let more = false;
  for (const condition of [
    `finished_at < now() - interval '${KEPT_DAYS} days'`,
    `subscription_id IN (${REMOVED_WEBHOOKS})`,
  ]) {
    const [, count] = await transactions.run<[unknown[], number]>((manager) =>
      manager.query(`DELETE FROM webhook_deliveries WHERE (subscription_id, entry_id) IN (
         SELECT subscription_id, entry_id FROM webhook_deliveries WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`),
    );
    more ||= count === BATCH;
  }
  return more;
}
