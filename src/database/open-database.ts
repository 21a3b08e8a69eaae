import type { DatabaseConfig } from '../config/database.config';
import { createClient, type DatabaseAddress } from './data-source';
import { DatabaseServers } from './database-servers';
import { findEmbeddedDatabase, openEmbeddedDatabase } from './embedded/embedded-database';
import { findServer } from './find-server';
import { preparedSnapshot } from './prepared-database';

export interface OpenedDatabase extends DatabaseAddress {
  /** Whether the database lives inside this process, and so ends with it. */
  embedded: boolean;
  close(): Promise<void>;
}

/** The database that the configuration names: the server at DATABASE_URL, or else PostgreSQL opened inside this process. */
export async function openDatabase(config: DatabaseConfig): Promise<OpenedDatabase> {
  const { databaseUrl: url, databasePoolSize: poolSize } = config;
  if (url !== undefined) return { ...serverAt(config, url), urlFile: config.databaseUrlFile, poolSize };
  const embedded = await openEmbeddedDatabase({ dataDir: config.dataDir, snapshot: preparedSnapshot });
  const { databaseIsolation: isolation } = config;
  return { url: embedded.url, poolSize: 1, isolation, embedded: true, close: () => embedded.close() };
}

/**
 * For the command line: as {@link openDatabase}, but on one connection. Of several servers it takes one for good, and it shares the embedded
 * database of a running service, if there is one.
 *
 * @param mustWrite false where a standby will do
 */
export async function joinDatabase(config: DatabaseConfig, mustWrite = true): Promise<OpenedDatabase> {
  const running = config.databaseUrl ?? (await findEmbeddedDatabase(config.dataDir));
  if (running === undefined) return openDatabase(config);
  const server = { ...serverAt(config, running), mustWrite };
  return { ...server, url: await oneServerOf(server) };
}

function serverAt(config: DatabaseConfig, url: string): OpenedDatabase {
  const { databasePasswords: passwords, databaseIsolation: isolation } = config;
  return { url, passwords, poolSize: 1, isolation, embedded: false, close: () => Promise.resolve() };
}

async function oneServerOf(address: DatabaseAddress): Promise<string> {
  const { urls } = new DatabaseServers(address);
  if (urls.length === 1) return address.url;
  const { client, index } = await findServer(urls.map((url) => createClient({ ...address, url })));
  await client.end();
  return urls[index] as string;
}

/** The injection token of the {@link OpenedDatabase} that this process works on. */
export const DATABASE = Symbol('DATABASE');
