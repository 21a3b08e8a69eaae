import { databaseCode } from '../../src/database/sql-errors';

/**
 * Retries while PostgreSQL reports a serialization failure (40001), which occurs only at SERIALIZABLE: for operations
 * without a retry of their own.
 */
export async function untilNoConflict<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { cause = error } = error as Error;
      if (databaseCode(cause) !== '40001') throw error;
    }
  }
}
