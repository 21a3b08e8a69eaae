import type { DataSource } from 'typeorm';
import { NoConnectionError } from './database-errors';
import { DatabaseRefusedError } from './database-refused.error';
import { mayConnectLater } from './sql-errors';

/**
 * Makes the first connection.
 *
 * @throws DatabaseRefusedError if no retry can succeed; any other error is transient
 */
export async function connect(dataSource: DataSource): Promise<void> {
  try {
    await dataSource.initialize();
  } catch (error) {
    const cause: unknown = error instanceof NoConnectionError ? error.cause : error;
    if (cause instanceof DatabaseRefusedError) throw cause;
    throw mayConnectLater(cause) ? error : DatabaseRefusedError.by(cause);
  }
}
