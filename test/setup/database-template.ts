import './package-sources';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabaseUrl } from './test-environment';
import { createDataSource, migrate } from '../support/whole-schema';
import { makePreparedDatabases, preparedFile } from '../../src/database/prepared-database';
import { PLUGINS } from '../../src/installed-plugins';
import { openTestDatabase } from '../support/test-database';

const SOURCES = [
  'src/database/migrate.ts',
  'packages/pglite-server/src/snapshots.ts',
  'packages/pglite-server/src/engine.ts',
].map((path) => join(__dirname, '../..', path));
const DAY_MS = 86_400_000;
const CACHE = join(__dirname, '../../node_modules/.cache/test-databases');

/** The template on a server, which `end-of-run.ts` drops at the end. */
export let templateOnServer: { url: string; close(): Promise<void> } | undefined;

/** Before all suites: makes a database with the schema, which suites copy in a fraction of the time. */
export default async function makeTemplate(): Promise<void> {
  const files = await makeFiles();
  process.env.TEST_DATABASE_SNAPSHOT = files.empty;
  process.env.TEST_DATABASE_TEMPLATE = files.template;
  if (testDatabaseUrl() === undefined) return;
  templateOnServer = await openTestDatabase({ empty: true });
  await createSchema(templateOnServer.url);
  process.env.TEST_DATABASE_TEMPLATE = new URL(templateOnServer.url).pathname.slice(1);
}

/** Makes them once for all runs: they take seconds. Their names are derived from all that they follow from. */
async function makeFiles(): Promise<{ empty: string; template: string }> {
  const hash = createHash('sha256').update(preparedFile(PLUGINS));
  for (const source of SOURCES) hash.update(readFileSync(source));
  const name = join(CACHE, hash.digest('hex').slice(0, 32));
  const [empty, template] = [`${name}.empty.tar`, `${name}.template.tar`];
  if (!existsSync(template)) {
    const made = await makePreparedDatabases(PLUGINS);
    mkdirSync(CACHE, { recursive: true });
    removeOutdated();
    save(made.empty, empty);
    save(made.filled, template);
  }
  return { empty, template };
}

async function createSchema(url: string): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Of an earlier schema. A run that has just begun may still use them. */
function removeOutdated(): void {
  for (const name of readdirSync(CACHE)) {
    const file = join(CACHE, name);
    if (statSync(file).mtimeMs < Date.now() - DAY_MS) rmSync(file);
  }
}

/** Another run may begin meanwhile, and must not see half of a file. */
function save(snapshot: Buffer, file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, snapshot, { mode: 0o600 });
  renameSync(draft, file);
}
