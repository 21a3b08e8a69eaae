import type { DataSource } from 'typeorm';
import { DatabaseRefusedError } from './database-refused.error';
import { isDatabaseUnavailable } from './sql-errors';

/**
 * Makes the first connection.
 *
 * @throws DatabaseRefusedError when there will never be one; anything else that it throws may pass
 */
export async function connect(dataSource: DataSource): Promise<void> {
  try {
    await dataSource.initialize();
  } catch (error) {
    throw isDatabaseUnavailable(error) ? error : new DatabaseRefusedError(error);
  }
}
