import './package-sources';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabaseUrl } from './test-environment';
import { createDataSource } from '../../src/database/data-source';
import { makeSnapshots } from '../../src/database/snapshots';
import { migrate } from '../../src/database/migrate';
import { openTestDatabase } from '../support/test-database';

/** The template on a server, which `end-of-run.ts` drops at the end. */
export let templateOnServer: { url: string; close(): Promise<void> } | undefined;

/** Before all suites: makes a database with the schema, which suites copy in a fraction of the time. */
export default async function makeTemplate(): Promise<void> {
  if (testDatabaseUrl() === undefined) return makeFiles();
  templateOnServer = await openTestDatabase({ empty: true });
  await createSchema(templateOnServer.url);
  process.env.TEST_DATABASE_TEMPLATE = new URL(templateOnServer.url).pathname.slice(1);
}

async function makeFiles(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'user-administration-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const { empty, migrated } = await makeSnapshots();
  process.env.TEST_DATABASE_SNAPSHOT = await save(empty, join(folder, 'empty.tar'));
  process.env.TEST_DATABASE_TEMPLATE = await save(migrated, join(folder, 'template.tar'));
}

async function createSchema(url: string): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function save(snapshot: Buffer, file: string): Promise<string> {
  await writeFile(file, snapshot, { mode: 0o600 });
  return file;
}
