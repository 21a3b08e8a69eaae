import {
  databaseCode,
  isCommitLost,
  isDatabaseUnavailable,
  isReadOnly,
  isTransactionEnded,
  MigrationDelayedError,
} from '@user-administration/postgres';
import { ImportError, ImportRefused, MOST_PROBLEMS } from '../directory-transfer/import-error';

/** Explains an error and what to do about it, without a stack. */
export function explain(error: unknown): string {
  if (error instanceof ImportRefused) return `${error.message}. Nothing was imported.`;
  if (error instanceof ImportError) {
    const { length } = error.problems;
    const more = length === MOST_PROBLEMS ? ` Only the first ${length} bad lines are named.` : '';
    return `${error.message}.${length > 1 ? '\n' : ' '}Nothing was imported.${more}`;
  }
  if (error instanceof MigrationDelayedError) return `${error.message}. Nothing was changed; try again later.`;
  if (isCommitLost(error)) {
    return (
      'The connection was lost during the commit, so the change may have been made. Run the ' +
      'command again: records that match the file stay as they are.'
    );
  }
  if (isTransactionEnded(error)) {
    return (
      'The database ended the transaction: the connection broke, or this process was stopped ' +
      'for longer than DATABASE_IDLE_TRANSACTION_TIMEOUT_MS. Nothing was changed; run the command ' +
      'again.'
    );
  }
  if (isReadOnly(error)) {
    return (
      'The database is a standby or read-only. Set DATABASE_URL to a server that accepts ' +
      'writes, or to several hosts.'
    );
  }
  if (isDatabaseUnavailable(error)) {
    return (
      `The database does not answer (${databaseCode(error) ?? 'connection lost'}). Check DATABASE_URL, and ` +
      'that the database runs.'
    );
  }
  return error instanceof Error ? error.message || error.name : String(error);
}
