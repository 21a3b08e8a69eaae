/** The PostgreSQL server for the tests (`TEST_DATABASE_URL`); without it, each suite gets a new embedded database. */
export function testDatabaseUrl(): string | undefined {
  return process.env.TEST_DATABASE_URL || undefined;
}

/** The file of an empty embedded database (`TEST_DATABASE_SNAPSHOT`), created once for all suites because it takes seconds. */
export function testDatabaseSnapshot(): string | undefined {
  return process.env.TEST_DATABASE_SNAPSHOT || undefined;
}

/** The same with the schema (`TEST_DATABASE_TEMPLATE`); on a server, the name of a database to copy. */
export function testDatabaseTemplate(): string | undefined {
  return process.env.TEST_DATABASE_TEMPLATE || undefined;
}
