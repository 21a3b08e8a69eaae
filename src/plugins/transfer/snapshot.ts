import type { DataSource, QueryRunner } from 'typeorm';

const FETCH_ROWS = 1_000;

/**
 * Reads everything at one moment, at the pace of the reader. It holds at most a thousand rows in memory, and one
 * connection until it is read completely or the loop is left.
 */
export async function* inSnapshot<T>(
  dataSource: DataSource,
  read: (runner: QueryRunner) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction('REPEATABLE READ');
    await runner.query('SET TRANSACTION READ ONLY');
    // The reader sets the pace, so the timeout for idle transactions of requests would end a slow one.
    await runner.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    yield* read(runner);
    await runner.commitTransaction();
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

/**
 * The rows of a query, part by part.
 *
 * @param during runs each statement
 */
export async function* fetchRows<Row extends object>(
  runner: QueryRunner,
  query: string,
  parameters: unknown[] = [],
  during: <T>(statement: () => Promise<T>) => Promise<T> = (statement) => statement(),
): AsyncGenerator<Row[], void, undefined> {
  await during(() => runner.query(`DECLARE part NO SCROLL CURSOR FOR ${query}`, parameters));
  for (;;) {
    const rows = await during<Row[]>(() => runner.query(`FETCH ${FETCH_ROWS} FROM part`));
    if (rows.length === 0) break;
    yield rows;
  }
  await runner.query('CLOSE part');
}
