import type { EntityManager } from 'typeorm';
import { waitForRenamings } from '../../directory/rename-lock';
import { FILE_ERRORS } from './errors';

/** The key of an advisory lock: one import at a time, in all processes. A request does not wait for another one. */
export const IMPORT_LOCK = 7_225_108_022;

/**
 * Imports run one after the other. Two at once could create the same record, and neither could name the line of the
 * conflict.
 */
export async function waitForOtherImports(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
  await waitForRenamings(manager);
}

/**
 * As {@link waitForOtherImports}, without waiting for another import.
 *
 * @throws ServiceError `import.running`
 */
export async function refuseOtherImports(manager: EntityManager): Promise<void> {
  const [{ taken }] = await manager.query<[{ taken: boolean }]>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    IMPORT_LOCK,
  ]);
  if (!taken) throw FILE_ERRORS.refusal('import.running');
  await waitForRenamings(manager);
}
