import type { EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '../database/advisory-locks';

/**
 * Imports run one after the other. Two at once could create the same record, and neither could name the line of the
 * conflict.
 */
export async function waitForOtherImports(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.imports]);
}

/**
 * Nobody gets another id while an import runs: it would take a user whom its file names for a new one, or for one who
 * is missing.
 */
export async function waitForImports(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCKS.imports]);
}
