import { databaseCode } from './sql-errors';

/** A migration failed for good: another try would end in the same way. */
export class MigrationFailedError extends Error {
  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `The database could not be migrated: a step failed, and was undone (${databaseCode(cause) ?? 'no SQLSTATE'}: ${why}). ` +
        'Name in DATABASE_URL a database of its own, where the user may create tables; or without it, another DATA_DIR.',
      { cause },
    );
    this.name = 'MigrationFailedError';
  }
}
