import { DataSource, type Migration, MigrationExecutor } from 'typeorm';
import { MigrationFailedError } from './migration-failed.error';
import { isDatabaseUnavailable } from './sql-errors';

/** Any constant will do, as long as nothing else in this database locks it: the name of the table, as a number. */
const MIGRATION_LOCK = 7_225_108_019;

/** A migration of a large directory takes longer than any request may, and so does the turn of another process. */
const UNBOUND = `
  WITH bounds AS MATERIALIZED (
    SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement
  )
  SELECT lock, statement, set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false) FROM bounds`;
const REBIND = `SELECT set_config('lock_timeout', $1, false), set_config('statement_timeout', $2, false)`;

/**
 * Runs the migrations that have not run yet, each in its own transaction. Processes that start together take turns: a lock
 * is held on the very connection that migrates, so that it works with a pool of one and ends with the connection.
 *
 * @returns the migrations that ran
 * @throws MigrationFailedError when one never will; anything else that it throws may pass
 */
export async function migrate(dataSource: DataSource): Promise<Migration[]> {
  try {
    return await takeTurn(dataSource);
  } catch (error) {
    throw isDatabaseUnavailable(error) ? error : new MigrationFailedError(error);
  }
}

async function takeTurn(dataSource: DataSource): Promise<Migration[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const [bounds] = (await runner.query(UNBOUND)) as [{ lock: string; statement: string }];
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      return await executor.executePendingMigrations();
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await runner.query(REBIND, [bounds.lock, bounds.statement]);
    }
  } finally {
    await runner.release();
  }
}

/** A data source for TypeORM's own command line, which then takes its turn like everyone else. */
export class MigratingDataSource extends DataSource {
  override runMigrations(): Promise<Migration[]> {
    return migrate(this);
  }
}
