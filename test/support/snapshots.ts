import { readFile } from 'node:fs/promises';
import { testDatabaseSnapshot, testDatabaseTemplate, testDatabaseUrl } from '../setup/test-environment';

/** An empty embedded database, which the preparations of the run have made, because it takes seconds. */
export async function emptySnapshot(): Promise<Buffer | undefined> {
  const file = testDatabaseSnapshot();
  return file === undefined ? undefined : readFile(file);
}

/** The same with the schema. */
export async function migratedSnapshot(): Promise<Buffer | undefined> {
  // On a server, the template is a database and not a file.
  const file = testDatabaseUrl() === undefined ? testDatabaseTemplate() : undefined;
  return file === undefined ? undefined : readFile(file);
}
