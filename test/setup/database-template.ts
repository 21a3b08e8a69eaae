import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { testDatabaseUrl } from '../../src/config/test-environment';
import { createDataSource } from '../../src/database/data-source';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../src/database/embedded/embedded-database';
import { migrate } from '../../src/database/migrate';
import { openTestDatabase } from '../../src/testing/test-database';

/** The template on a server, which `end-of-run.ts` drops at the end. */
export let templateOnServer: { url: string; close(): Promise<void> } | undefined;

/** Before all suites: makes a database with the schema, which every suite copies in a fraction of the time. */
export default async function makeDatabaseTemplate(): Promise<void> {
  if (testDatabaseUrl() === undefined) return makeFiles();
  templateOnServer = await openTestDatabase({ empty: true });
  await createSchema(templateOnServer.url);
  process.env.TEST_DATABASE_TEMPLATE = new URL(templateOnServer.url).pathname.slice(1);
}

async function makeFiles(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'user-administration-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const database = await openEmbeddedDatabase({ inMemory: true });
  try {
    await dropOwnTemplates(database.url);
    process.env.TEST_DATABASE_SNAPSHOT = await save(database, join(folder, 'empty.tar'));
    await createSchema(database.url);
    process.env.TEST_DATABASE_TEMPLATE = await save(database, join(folder, 'template.tar'));
  } finally {
    await database.close();
  }
}

/** `template0` and `template1` are two thirds of the files, and nobody copies them here. */
async function dropOwnTemplates(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query('UPDATE pg_database SET datistemplate = false');
    for (const name of ['template0', 'template1']) await client.query(`DROP DATABASE ${name}`);
  } finally {
    await client.end();
  }
}

async function createSchema(url: string): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function save(database: EmbeddedDatabase, file: string): Promise<string> {
  await writeFile(file, Buffer.from(await (await database.snapshot()).arrayBuffer()), { mode: 0o600 });
  return file;
}
