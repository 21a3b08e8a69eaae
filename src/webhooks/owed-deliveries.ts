import type { EntityManager } from 'typeorm';

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
