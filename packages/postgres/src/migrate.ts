import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { FunctionsMissingError, MigrationDelayedError, MigrationFailedError } from './migration-errors';
import { boundsValues, TRANSACTION_BOUNDS } from './session-check';
import {
  databaseCode,
  INSUFFICIENT_PRIVILEGE,
  isConflict,
  isDatabaseUnavailable,
  LOCK_NOT_AVAILABLE,
} from './sql-errors';
import { applySqlFunctions, type PendingFunctions, pendingSqlFunctions, type SqlRelease } from './sql-functions';

/**
 * How long a migration waits for a lock. All users of a table queue behind a migration that waits for it, so the
 * migration gives up soon and is retried.
 */
const LOCK_MS = 5_000;

/** What a program brings a database to. */
export interface Schema {
  /** One for each part of the program. */
  functions: readonly SqlRelease[];
  /** The key of the advisory lock by which processes that start together take turns. */
  lock: number;
}

/** What was migrated, and what could not be for lack of privileges. */
export interface Migrated {
  migrations: Migration[];
  /** Names of SQL functions that are new or changed. */
  functions: string[];
  /** Names of functions of an earlier release, which only their owner can replace. The service can run with them. */
  denied: string[];
  /** The later release whose SQL functions the database has and keeps. The service can run with them. */
  newerRelease?: number;
}

/**
 * Runs pending migrations and replaces SQL functions of earlier releases, in one transaction. Processes that start
 * together migrate one after the other, by a lock that ends with the transaction, so nothing remains in a connection
 * pooler. If nothing is pending, it only reads, and needs no privilege but `SELECT`.
 *
 * @throws MigrationDelayedError if a lock was not granted in time, or in a deadlock; a retry can succeed
 * @throws FunctionsMissingError if this release cannot run with the functions of a later one
 * @throws MigrationFailedError if no retry can succeed; any other error is transient
 */
export async function migrate(dataSource: DataSource, schema: Schema, lockMs = LOCK_MS): Promise<Migrated> {
  const runner = dataSource.createQueryRunner();
  try {
    const { isPending, isServiceable, functions, newerRelease } = await findPending(dataSource, runner, schema);
    if (!isPending) return { migrations: [], functions: [], denied: [], ...(newerRelease && { newerRelease }) };
    return await migrateAlone(dataSource, runner, schema, lockMs).catch((error: unknown) => {
      if (!isServiceable || databaseCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
      return { migrations: [], functions: [], denied: functions };
    });
  } catch (error) {
    if (error instanceof FunctionsMissingError) throw error;
    if (databaseCode(error) === LOCK_NOT_AVAILABLE || isConflict(error)) throw new MigrationDelayedError(error);
    throw isDatabaseUnavailable(error) ? error : new MigrationFailedError(error);
  } finally {
    await runner.release();
  }
}

/** What this release needs and the database lacks. */
interface Pending {
  isPending: boolean;
  /** Whether the service can run anyway: nothing is missing, and some functions are of an earlier release. */
  isServiceable: boolean;
  /** Names of the SQL functions that are missing or differ. */
  functions: string[];
  newerRelease?: number;
}

const TABLES_EXIST =
  "SELECT to_regclass('migrations') IS NOT NULL AND to_regclass('sql_functions') IS NOT NULL AS exist";

/** Needs no lock and no privilege to change anything. */
async function findPending({ migrations }: DataSource, runner: QueryRunner, schema: Schema): Promise<Pending> {
  const [tables] = (await runner.query(TABLES_EXIST)) as [{ exist: boolean }];
  if (!tables.exist) return { isPending: true, isServiceable: false, functions: [] };
  const ran = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
  const isBehind = !migrations.every((one) => ran.some(({ name }) => name === (one.name ?? one.constructor.name)));
  const parts = await inTurn(schema.functions, (release) => pendingSqlFunctions(runner, release));
  return {
    isPending: isBehind || parts.some(({ isPending }) => isPending),
    isServiceable: !isBehind && !parts.some(({ isAnyMissing }) => isAnyMissing),
    ...together(parts),
  };
}

/** A transaction has one connection, which takes one statement after the other. */
async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function together(parts: readonly PendingFunctions[]): Pick<Migrated, 'functions' | 'newerRelease'> {
  const newerRelease = parts.find((part) => part.newerRelease !== undefined)?.newerRelease;
  const functions = parts.flatMap((part) => part.functions.map(({ name }) => name));
  return { functions, ...(newerRelease && { newerRelease }) };
}

async function migrateAlone(
  dataSource: DataSource,
  runner: QueryRunner,
  schema: Schema,
  lockMs: number,
): Promise<Migrated> {
  // After the lock, this transaction must see what other processes committed while it waited, whatever the default
  // isolation level.
  await runner.startTransaction('READ COMMITTED');
  try {
    // Migrating a large directory takes longer than any request may.
    await runner.query(TRANSACTION_BOUNDS, boundsValues({ statementMs: 0, lockMs, idleTransactionMs: 0 }));
    await runner.query('SELECT pg_advisory_xact_lock($1)', [schema.lock]);
    const migrations = await new MigrationExecutor(dataSource, runner).executePendingMigrations();
    const parts = await inTurn(schema.functions, (release) => applySqlFunctions(runner, release));
    await runner.commitTransaction();
    return { migrations, denied: [], ...together(parts) };
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
