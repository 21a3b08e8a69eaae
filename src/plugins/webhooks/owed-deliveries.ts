import type { EntityManager } from 'typeorm';
import { type MonthHolder, NotPrunableError } from '../door';

/**
 * Makes all deliveries that are owed to a webhook by its present terms: call this before they change. No other process
 * can read the journal for this webhook until the transaction ends.
 */
export async function makeOwed(manager: EntityManager, id: string): Promise<void> {
  for (let expanded = true; expanded;) {
    [{ expanded }] = await manager.query<[{ expanded: boolean }]>('SELECT expand_deliveries($1) AS expanded', [id]);
  }
}

/** A webhook that was registered or enabled is owed everything that is sealed from now on. */
export async function oweFromNow(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    `INSERT INTO webhook_positions (subscription_id, position) SELECT $1, position FROM journal_head
     ON CONFLICT (subscription_id) DO UPDATE SET position = excluded.position`,
    [id],
  );
}

/** The part of webhooks in the removal of old entries from the journal. */
export const owedMonths: MonthHolder = {
  /** @throws NotPrunableError if an enabled webhook is still owed one of these entries */
  async release(manager, position) {
    const [owed] = await manager.query<{ id: string }[]>(
      `SELECT id FROM webhook_subscriptions JOIN webhook_positions AS reader ON reader.subscription_id = id
       WHERE enabled AND (reader.position < $1 OR EXISTS (
         SELECT FROM webhook_deliveries AS delivery
         WHERE delivery.subscription_id = id AND state IN ('pending', 'waiting') AND entry_id <= $1
       )) LIMIT 1`,
      [position],
    );
    if (!owed) return;
    throw new NotPrunableError(
      `The webhook ${owed.id} is still owed events of these months. Nothing was removed: wait until they are ` +
        'delivered, or disable the webhook.',
    );
  },

  /** Runs last, because it can take long. If the pruning is stopped before, the next one removes them. */
  async forget(dataSource) {
    await dataSource.query('DELETE FROM webhook_deliveries WHERE entry_id <= (SELECT position FROM journal_pruned)');
  },
};
