import type { EntityManager } from 'typeorm';

/** An arbitrary constant. Nothing else in this database may use it as a lock. */
const IMPORT_LOCK = 7_225_108_020;

/** Imports run one after the other. Two at once could create the same record, and neither could name the line of the conflict. */
export async function waitForOtherImports(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
}

/** Nobody gets another id while an import runs: it would take a user whom its file names for a new one, or for one who is missing. */
export async function waitForImports(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock_shared($1)', [IMPORT_LOCK]);
}
