import { DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { MigrationFailedError } from './migration-failed.error';
import { isDatabaseUnavailable } from './sql-errors';
import { applySqlFunctions } from './sql-functions';

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
 * Runs the migrations that have not run yet, and replaces the functions that have changed, in one transaction. Processes that start together take turns: a lock
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
      return await migrateAll(dataSource, runner);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await runner.query(REBIND, [bounds.lock, bounds.statement]);
    }
  } finally {
    await runner.release();
  }
}

async function migrateAll(dataSource: DataSource, runner: QueryRunner): Promise<Migration[]> {
  await runner.startTransaction();
  try {
    const executor = new MigrationExecutor(dataSource, runner);
    const migrations = await executor.executePendingMigrations();
    await applySqlFunctions(runner);
    await runner.commitTransaction();
    return migrations;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** A data source for TypeORM's own command line, which then takes its turn like everyone else. */
export class MigratingDataSource extends DataSource {
  override runMigrations(): Promise<Migration[]> {
    return migrate(this);
  }
}
