import { ISOLATION_LEVELS, type IsolationLevel } from './config';

/** The PostgreSQL server that the tests run on (`TEST_DATABASE_URL`); none means a fresh embedded database for each suite. */
export function testDatabaseUrl(): string | undefined {
  return process.env.TEST_DATABASE_URL || undefined;
}

/** At which level the transactions of the tests run (`TEST_DATABASE_ISOLATION`); none means the default of the service. */
export function testDatabaseIsolation(): IsolationLevel | undefined {
  return ISOLATION_LEVELS.find((level) => level === process.env.TEST_DATABASE_ISOLATION);
}

/** The file of an empty embedded database (`TEST_DATABASE_SNAPSHOT`), made once for all suites because a new one takes seconds. */
export function testDatabaseSnapshot(): string | undefined {
  return process.env.TEST_DATABASE_SNAPSHOT || undefined;
}

/** The same with the schema in it (`TEST_DATABASE_TEMPLATE`); on a server, the name of a database to copy. */
export function testDatabaseTemplate(): string | undefined {
  return process.env.TEST_DATABASE_TEMPLATE || undefined;
}
