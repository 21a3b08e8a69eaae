import { LOCK_NOT_AVAILABLE } from './sql-errors';

/** A migration did not get a lock in time, and was rolled back. A retry can succeed. */
export class MigrationDelayedError extends Error {
  readonly code = LOCK_NOT_AVAILABLE;

  constructor(cause: unknown) {
    super(
      `The database cannot be migrated at the moment (${LOCK_NOT_AVAILABLE}): another process migrates it, or a transaction holds a table that a migration changes`,
      { cause },
    );
    this.name = 'MigrationDelayedError';
  }
}
