import { ServiceError } from '../contract/errors';
import { MigrationDelayedError } from '../database/migration-delayed.error';
import { databaseCode, isCommitLost, isConflict, isDatabaseUnavailable, isReadOnly } from '../database/sql-errors';
import { ImportError } from '../directory-transfer/import-error';

/** Explains an error and what to do about it, without a stack. */
export function explain(error: unknown): string {
  if (error instanceof ImportError) return `${error.message}. Nothing was imported.`;
  if (error instanceof ServiceError && error.code === 'directory.last_administrator') {
    return 'This would leave the directory without an active administrator. Nothing was imported.';
  }
  if (error instanceof MigrationDelayedError) return `${error.message}. Nothing was changed; try again later.`;
  if (isConflict(error))
    return 'Somebody else changed the same records at that moment. Nothing was imported; try again.';
  if (isCommitLost(error)) {
    return 'The connection was lost while the change was committed, so nobody knows whether it was made. Run the command again: what is there already stays as it is.';
  }
  if (isReadOnly(error)) {
    return 'The database is a standby or read-only. Name in DATABASE_URL a server that can write, or several hosts.';
  }
  if (isDatabaseUnavailable(error)) {
    return `The database does not answer (${databaseCode(error) ?? 'connection lost'}). Look at DATABASE_URL, and whether it runs.`;
  }
  return error instanceof Error ? error.message || error.name : String(error);
}
