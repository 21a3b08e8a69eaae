import type { Config, IsolationLevel } from '../config/config';
import type { DatabaseAddress } from './data-source';
import { findEmbeddedDatabase, openEmbeddedDatabase } from './embedded/embedded-database';

export interface OpenedDatabase extends DatabaseAddress {
  /** Whether the database lives inside this process, and so ends with it. */
  embedded: boolean;
  close(): Promise<void>;
}

/** The database that the configuration names: the server at DATABASE_URL, or else PostgreSQL opened inside this process. */
export async function openDatabase(config: Config): Promise<OpenedDatabase> {
  const { databaseUrl, databasePoolSize, databaseIsolation: isolation } = config;
  if (databaseUrl !== undefined) return serverAt(databaseUrl, databasePoolSize, isolation);
  const embedded = await openEmbeddedDatabase({ dataDir: config.dataDir });
  return { url: embedded.url, poolSize: 1, isolation, embedded: true, close: () => embedded.close() };
}

/** For the command line: as {@link openDatabase}, but shares the embedded database of a running service, if there is one. */
export async function joinDatabase(config: Config): Promise<OpenedDatabase> {
  const running = config.databaseUrl ?? (await findEmbeddedDatabase(config.dataDir));
  return running === undefined ? openDatabase(config) : serverAt(running, 1, config.databaseIsolation);
}

function serverAt(url: string, poolSize: number, isolation: IsolationLevel): OpenedDatabase {
  return { url, poolSize, isolation, embedded: false, close: () => Promise.resolve() };
}

/** The injection token of the {@link OpenedDatabase} that this process works on. */
export const DATABASE = Symbol('DATABASE');
