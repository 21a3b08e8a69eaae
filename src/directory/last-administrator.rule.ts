import type { EntityManager } from 'typeorm';

/**
 * Refuses a change that leaves the directory without an active administrator, with `directory.last_administrator`.
 * Every write that deactivates, demotes or deletes an active administrator calls this afterwards, in the same
 * transaction.
 */
export async function requireAnAdministrator(manager: EntityManager): Promise<void> {
  await manager.query('SELECT require_administrator()');
}

/** Takes the lock of {@link requireAnAdministrator} earlier, for a transaction that continues after its last lock. */
export async function lockAdministratorGuard(manager: EntityManager): Promise<void> {
  await manager.query('SELECT FROM administrator_guard FOR UPDATE');
}
