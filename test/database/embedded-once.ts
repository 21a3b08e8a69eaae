import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database';

/** Creates an embedded database in the folder that its argument names, and closes it. */
async function main(): Promise<void> {
  const database = await openEmbeddedDatabase({ dataDir: process.argv[2] as string });
  await database.close();
}

void main();
