import type { DataSource, QueryRunner } from 'typeorm';
import { pendingSqlFunctions, readSqlFunctions } from './sql-functions';

/** What this release needs and the database lacks. */
interface Pending {
  /** Names of the migrations that have not run. */
  migrations: string[];
  /** Names of the SQL functions that are missing or differ. */
  functions: string[];
  /** Whether the service can run anyway: nothing is missing, and some functions are of another release. */
  isServiceable: boolean;
}

const TABLES_EXIST = `SELECT to_regclass('migrations') IS NOT NULL AND to_regclass('sql_functions') IS NOT NULL AS exist`;

/** Needs no lock and no privilege to change anything. */
export async function findPending(dataSource: DataSource, runner: QueryRunner): Promise<Pending> {
  const known = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  const [tables] = (await runner.query(TABLES_EXIST)) as [{ exist: boolean }];
  if (!tables.exist) {
    return { migrations: known, functions: readSqlFunctions().map(({ name }) => name), isServiceable: false };
  }
  const ran = await namesIn(runner, 'migrations');
  const migrations = known.filter((name) => !ran.has(name));
  const functions = (await pendingSqlFunctions(runner)).map(({ name }) => name);
  const present = await namesIn(runner, 'sql_functions');
  const isServiceable = migrations.length === 0 && functions.every((name) => present.has(name));
  return { migrations, functions, isServiceable };
}

async function namesIn(runner: QueryRunner, table: 'migrations' | 'sql_functions'): Promise<Set<string>> {
  const rows = (await runner.query(`SELECT name FROM ${table}`)) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}
