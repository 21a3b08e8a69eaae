import { databaseCode } from '../../src/database/sql-errors';

/**
 * Does something again for as long as PostgreSQL asks for it (40001), which it does at SERIALIZABLE alone: for what does not
 * begin again by itself, such as an import.
 */
export async function untilNoConflict<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (databaseCode(error) !== '40001') throw error;
    }
  }
}
