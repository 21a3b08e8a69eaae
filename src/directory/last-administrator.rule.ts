import type { EntityManager } from 'typeorm';

/**
 * Refuses a change that leaves the directory without an active administrator, by `status.last_administrator`. Every write
 * that deactivates, demotes or deletes an active administrator calls this afterwards, in its own transaction.
 *
 * Two such writes may each see the other's administrator. The function locks a guard row, last of all but the journal, so
 * that they take turns: who comes second counts in a snapshot taken after the first has committed.
 */
export async function requireAnAdministrator(manager: EntityManager): Promise<void> {
  await manager.query('SELECT require_administrator()');
}
