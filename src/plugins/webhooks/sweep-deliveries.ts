import type { Transactions } from '../door';

const KEPT_DAYS = 30;
const BATCH = 1_000;

/**
 * The webhooks with deliveries that no longer exist. The query jumps from one webhook to the next, past all their
 * deliveries.
 */
const REMOVED_WEBHOOKS = `
  WITH RECURSIVE known AS (
    (SELECT subscription_id AS id FROM webhook_deliveries ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT subscription_id FROM webhook_deliveries WHERE subscription_id > known.id ORDER BY 1 LIMIT 1)
    FROM known WHERE known.id IS NOT NULL
  )
  SELECT id FROM known WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_subscriptions AS s
    WHERE s.id = known.id)`;

/**
 * Removes deliveries that ended thirty days ago, and those of removed webhooks, in batches. It skips rows that another
 * process has locked.
 *
 * @returns whether more may be left
 */
export async function sweepDeliveries(transactions: Transactions): Promise<boolean> {
  let more = false;
  for (const condition of [
    `finished_at < now() - interval '${KEPT_DAYS} days'`,
    `subscription_id IN (${REMOVED_WEBHOOKS})`,
  ]) {
    const [, count] = await transactions.run<[unknown[], number]>((manager) =>
      manager.query(`DELETE FROM webhook_deliveries WHERE (subscription_id, entry_id) IN (
         SELECT subscription_id, entry_id FROM webhook_deliveries
           WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`),
    );
    more ||= count === BATCH;
  }
  return more;
}
