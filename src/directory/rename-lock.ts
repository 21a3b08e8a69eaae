import type { EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '../database/advisory-locks';

/**
 * Until the end of the transaction nobody gets another id. Whoever knows users by ids that it read earlier needs this:
 * otherwise it could create a renamed user again, or take the user for a missing one.
 */
export async function waitForRenamings(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.renames]);
}

/** A renaming waits for those who have {@link waitForRenamings}. */
export async function waitToRename(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCKS.renames]);
}
