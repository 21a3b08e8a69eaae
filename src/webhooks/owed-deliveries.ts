import type { EntityManager } from 'typeorm';
import { NotPrunableError } from '../journal/journal-months';

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

/**
 * Removes the deliveries of entries that are about to be removed from the journal.
 *
 * @param position of the last of these entries
 * @throws NotPrunableError if an enabled webhook is still owed one of them
 */
export async function releaseDeliveries(manager: EntityManager, position: string): Promise<void> {
  const [owed] = await manager.query<{ id: string }[]>(
    `SELECT id FROM webhook_subscriptions JOIN webhook_positions AS reader ON reader.subscription_id = id
     WHERE enabled AND (reader.position < $1 OR EXISTS (
       SELECT FROM webhook_deliveries AS delivery
       WHERE delivery.subscription_id = id AND state IN ('pending', 'waiting') AND entry_id <= $1
     )) LIMIT 1`,
    [position],
  );
  if (owed) {
    throw new NotPrunableError(
      `The webhook ${owed.id} is still owed events of these months. Nothing was removed: wait until they are delivered, or disable the webhook.`,
    );
  }
  await manager.query('DELETE FROM webhook_deliveries WHERE entry_id <= $1', [position]);
}
