import { DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { MigrationDelayedError } from './migration-delayed.error';
import { MigrationFailedError } from './migration-failed.error';
import { findPending } from './pending-migrations';
import { databaseCode, INSUFFICIENT_PRIVILEGE, isDatabaseUnavailable, LOCK_NOT_AVAILABLE } from './sql-errors';
import { applySqlFunctions } from './sql-functions';

/** Any constant will do, as long as nothing else in this database locks it: the name of the table, as a number. */
const MIGRATION_LOCK = 7_225_108_019;

/**
 * How long a migration waits for a lock. Everybody who needs a table waits behind a migration that waits for it, so the migration
 * gives up soon, and has to be tried again.
 */
const LOCK_MS = 5_000;

/** For one transaction. A migration of a large directory takes longer than any request may. */
const BOUNDS = `
  SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`;

/** What a migration did, and what it was not allowed to do. */
export interface Migrated {
  migrations: Migration[];
  /** Names of the SQL functions that are new, or whose content changed. */
  functions: string[];
  /** Names of functions of another release, which only their owner can replace. The service runs with them. */
  denied: string[];
}

/**
 * Runs the migrations that have not run yet and replaces the SQL functions that have changed: all of it in one transaction, or
 * nothing. Processes that start together take turns by a lock that ends with the transaction, so nothing stays behind in a
 * connection pooler. Where nothing is pending, it only reads, and needs no right but `SELECT`.
 *
 * @throws MigrationDelayedError when a lock was not granted in time; another try can succeed
 * @throws MigrationFailedError when no try can succeed; anything else that it throws may pass
 */
export async function migrate(dataSource: DataSource, lockMs = LOCK_MS): Promise<Migrated> {
  const runner = dataSource.createQueryRunner();
  try {
    const { migrations, functions, isServiceable } = await findPending(dataSource, runner);
    if (migrations.length + functions.length === 0) return { migrations: [], functions: [], denied: [] };
    return await takeTurn(dataSource, runner, lockMs).catch((error: unknown) => {
      if (!isServiceable || databaseCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
      return { migrations: [], functions: [], denied: functions };
    });
  } catch (error) {
    if (databaseCode(error) === LOCK_NOT_AVAILABLE) throw new MigrationDelayedError(error);
    throw isDatabaseUnavailable(error) ? error : new MigrationFailedError(error);
  } finally {
    await runner.release();
  }
}

async function takeTurn(dataSource: DataSource, runner: QueryRunner, lockMs: number): Promise<Migrated> {
  // What another process commits while this one waits for its turn must be seen, whatever the level of other transactions.
  await runner.startTransaction('READ COMMITTED');
  try {
    await runner.query(BOUNDS, [String(lockMs)]);
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const migrations = await new MigrationExecutor(dataSource, runner).executePendingMigrations();
    const functions = await applySqlFunctions(runner);
    await runner.commitTransaction();
    return { migrations, functions, denied: [] };
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** A data source for TypeORM's own command line, which then takes its turn like everyone else. */
export class MigratingDataSource extends DataSource {
  override async runMigrations(): Promise<Migration[]> {
    const { migrations } = await migrate(this);
    if (migrations.length === 0) this.logger.logSchemaBuild('No migrations are pending');
    return migrations;
  }
}
