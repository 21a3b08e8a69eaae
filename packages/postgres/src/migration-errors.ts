import { DescribedError } from './described-error';
import { databaseCode, INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE } from './sql-errors';

const FOREIGN =
  'Set DATABASE_URL to a separate database in which the user may create tables, or without ' +
  'DATABASE_URL, set another DATA_DIR.';
const NOT_THE_OWNER =
  'Let the owner of the tables run `user-admin migrate` first, or let the user in DATABASE_URL create tables.';

/** A migration did not get a lock in time, or only in a deadlock, and was rolled back. A retry can succeed. */
export class MigrationDelayedError extends DescribedError {
  /** By this code, a start waits as for a database that is not available. */
  readonly code = LOCK_NOT_AVAILABLE;

  constructor(cause: unknown) {
    super(
      `The database cannot be migrated at the moment (${databaseCode(cause)}): another process migrates it, or a ` +
        'transaction holds a table that a migration changes',
      { cause },
    );
  }
}

/** A migration failed permanently: a retry would fail in the same way. */
export class MigrationFailedError extends DescribedError {
  constructor(cause: unknown) {
    const code = databaseCode(cause);
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `The database could not be migrated: a step failed, and was undone (${code ?? 'no SQLSTATE'}: ${why}). ` +
        (code === INSUFFICIENT_PRIVILEGE ? NOT_THE_OWNER : FOREIGN),
      { cause },
    );
  }
}

/** The SQL functions in the database are of a later release, which no longer has all that this one calls. */
export class FunctionsMissingError extends DescribedError {
  constructor(names: readonly string[], installed: number, ours: number) {
    super(
      `This release is too old for the database: its SQL functions are newer (${installed}; this release has ` +
        `${ours}), ` +
        `and lack ${names.join(', ')}. Start a later release, or restore the backup from before the upgrade.`,
    );
  }
}
