import {
  DataDirError,
  findEmbeddedDatabase,
  isDatabaseIn,
  openEmbeddedDatabase,
  readSnapshot,
} from '@user-administration/pglite-server';
import type { DatabaseConfig } from '../config/database.config';
import { ExpectedError } from '../contract/expected-error';
import {
  CONNECT_TIMEOUT_MS,
  type DatabaseAddress,
  DatabaseClient,
  DatabaseServers,
  findServer,
  type OpenedDatabase,
} from '@user-administration/postgres';
import type { DatabasePart } from './database-part';
import { preparedFile } from './prepared-database';

class DataDirRefusedError extends ExpectedError {
  constructor(cause: DataDirError) {
    const { problem, remedy } = cause;
    super(`${problem} ${remedy}, or choose another folder with DATA_DIR, or a server with DATABASE_URL.`, { cause });
  }
}

/** Opens the configured database: the server at DATABASE_URL, or else PostgreSQL inside this process. */
export async function openDatabase(config: DatabaseConfig, parts: readonly DatabasePart[]): Promise<OpenedDatabase> {
  const { databaseUrl: url, databasePoolSize: poolSize } = config;
  if (url !== undefined) return { ...serverAt(config, url), urlFile: config.databaseUrlFile, poolSize };
  const { dataDir } = config;
  const { idleTransactionMs } = config.databaseBounds;
  const snapshot = () => readSnapshot(preparedFile(parts));
  const embedded = await openEmbeddedDatabase({ dataDir, snapshot, idleTransactionMs }).catch(advise);
  return { url: embedded.url, poolSize: 1, embedded: true, close: () => embedded.close() };
}

/** Says also what this service could use instead of the folder. */
function advise(error: unknown): never {
  throw error instanceof DataDirError ? new DataDirRefusedError(error) : error;
}

/**
 * As {@link openDatabase}, for the command line, with one connection. If the URL names several servers, it chooses one
 * for good. If a service with an embedded database is running, it connects to that one.
 *
 * @param mustWrite false for work that only reads: a standby is sufficient, and no database is created
 */
export async function joinDatabase(
  config: DatabaseConfig,
  parts: readonly DatabasePart[],
  mustWrite = true,
): Promise<OpenedDatabase> {
  const running = config.databaseUrl ?? (await findEmbeddedDatabase(config.dataDir));
  if (running === undefined) {
    if (!mustWrite && !isDatabaseIn(config.dataDir)) {
      throw new Error(
        `There is no database in ${config.dataDir}. ` +
          'Set DATABASE_URL to a server, or DATA_DIR to the folder of an embedded database.',
      );
    }
    return openDatabase(config, parts);
  }
  const server = { ...serverAt(config, running), mustWrite };
  return { ...server, url: await oneServerOf(server) };
}

function serverAt(config: DatabaseConfig, url: string): OpenedDatabase {
  return { url, passwords: config.databasePasswords, poolSize: 1, embedded: false, close: () => Promise.resolve() };
}

async function oneServerOf(address: DatabaseAddress): Promise<string> {
  const servers = new DatabaseServers(address);
  const { urls } = servers;
  if (urls.length === 1) return address.url;
  const connectMs = CONNECT_TIMEOUT_MS;
  const { client, index } = await findServer(urls.map((url) => new DatabaseClient({ servers, url, connectMs })));
  await client.end();
  return urls[index] as string;
}
