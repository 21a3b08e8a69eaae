import type { EntityManager } from 'typeorm';
import { ServiceError } from '../contract/errors';
import { ADVISORY_LOCKS } from '../database/advisory-locks';

/**
 * Imports run one after the other. Two at once could create the same record, and neither could name the line of the
 * conflict.
 */
export async function waitForOtherImports(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.importing]);
  await waitForRenamings(manager);
}

/**
 * As {@link waitForOtherImports}, without waiting for another import.
 *
 * @throws ServiceError `import.running`
 */
export async function refuseOtherImports(manager: EntityManager): Promise<void> {
  const [{ taken }] = await manager.query<[{ taken: boolean }]>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    ADVISORY_LOCKS.importing,
  ]);
  if (!taken) throw new ServiceError('import.running');
  await waitForRenamings(manager);
}

async function waitForRenamings(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.imports]);
}

/**
 * Renames wait for imports; otherwise an import could create a renamed user again, or deactivate the user as missing.
 */
export async function waitForImports(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCKS.imports]);
}
