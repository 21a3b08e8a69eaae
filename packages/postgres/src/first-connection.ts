import type { DataSource } from 'typeorm';
import { NoConnectionError } from './database-errors';
import { DatabaseRefusedError } from './database-refused.error';
import { mayConnectLater } from './sql-errors';

/** How long a program waits for a first connection. */
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Makes the first connection.
 *
 * @throws DatabaseRefusedError if no retry can succeed; any other error is transient
 */
export async function connect(dataSource: DataSource): Promise<void> {
  try {
    await dataSource.initialize();
  } catch (error) {
    // TypeORM keeps the connection whose first statement has failed. There is nothing to close if it has made none.
    await dataSource.driver.disconnect().catch(() => undefined);
    const cause: unknown = error instanceof NoConnectionError ? error.cause : error;
    if (cause instanceof DatabaseRefusedError) throw cause;
    throw mayConnectLater(cause) ? error : DatabaseRefusedError.by(cause);
  }
}
