import { randomBytes } from 'node:crypto';
import {
  testDatabaseIsolation,
  testDatabaseSnapshot,
  testDatabaseTemplate,
  testDatabaseUrl,
} from '../config/test-environment';
import type { OpenedDatabase } from '../database/open-database';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../database/embedded/embedded-database';
import { openEmptied, readSnapshot } from './embedded-test-databases';
import { withClient } from './with-client';

const SERVER_POOL_SIZE = 10;

interface TestDatabaseOptions {
  /** Without the schema, for tests of migrations. Otherwise the schema may exist already, which saves migrating. */
  empty?: boolean;
}

/**
 * A new database without records: on the server that `TEST_DATABASE_URL` names, else embedded in this process, in
 * memory. Closing it drops it.
 */
export async function openTestDatabase({ empty = false }: TestDatabaseOptions = {}): Promise<OpenedDatabase> {
  const server = testDatabaseUrl();
  if (server !== undefined) return createOnServer(server, empty ? undefined : testDatabaseTemplate());
  const template = empty ? undefined : testDatabaseTemplate();
  if (template !== undefined) return embedded(await openEmptied(template));
  const snapshot = testDatabaseSnapshot();
  return openInMemory(snapshot ? await readSnapshot(snapshot) : undefined);
}

/** A database embedded in this process, in memory: empty, or from the snapshot. */
export async function openInMemory(snapshot?: Blob): Promise<OpenedDatabase> {
  return embedded(await openEmbeddedDatabase({ inMemory: true, snapshot }));
}

function embedded({ url, close }: Pick<EmbeddedDatabase, 'url' | 'close'>): OpenedDatabase {
  return { url, poolSize: 1, isolation: testDatabaseIsolation(), embedded: true, close };
}

/** A new database on a server, dropped at the end. */
export async function createOnServer(server: string, template?: string): Promise<OpenedDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    poolSize: SERVER_POOL_SIZE,
    isolation: testDatabaseIsolation(),
    embedded: false,
    close: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement));
}
