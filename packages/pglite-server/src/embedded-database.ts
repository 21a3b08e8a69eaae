import { resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { claimsFolder, holdDataDir } from './folder-lock';
import { DataDirUnusableError } from './folder-errors';
import { openEngineIn, openEngineInMemory, type SnapshotSource } from './engine';
import { FolderClaim } from './folder-claim';
import { makeFolder } from './make-folder';
import { SharedSession } from './shared-session';
import { WireServer } from './wire-server';

export interface EmbeddedDatabase {
  /** The URL for the `pg` driver. Its password is new at each start. */
  readonly url: string;
  /** The whole database as one file, from which other databases can be opened in memory. */
  snapshot(): Promise<Blob>;
  /** Ends every connection, as an administrator of a server can. The database stays open for new ones. */
  endConnections(): Promise<void>;
  /**
   * Answers statements that have arrived, ends every connection, closes the database and releases the folder. It may be
   * called more than once.
   */
  close(): Promise<void>;
}

/** The folder of the data; without one, the data are in memory, for tests. A new database starts from the snapshot. */
type EmbeddedDatabaseOptions = (
  { dataDir: string; snapshot?: SnapshotSource } | { inMemory: true; snapshot?: Blob }
) & {
  /** For how long a client may be idle in a transaction, which all others wait for. By default, and with 0, for any time. */
  idleTransactionMs?: number;
};

/**
 * Starts PostgreSQL inside this process. Acknowledged writes survive the sudden end of the process. Writes are not
 * forced to the disk (fsync), so a power failure can lose data; use a server where that matters.
 *
 * @example
 * const database = await openEmbeddedDatabase({ dataDir: '.data' });
 * const client = new Client(database.url);
 *
 * @throws DataDirInUseError when another process, or this one, has the folder open
 * @throws DataDirUnusableError when it cannot be written, or holds no database that can be opened
 */
export function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  return 'dataDir' in options
    ? openInFolder(resolve(options.dataDir), options.snapshot, options.idleTransactionMs)
    : openInMemory(options.snapshot, options.idleTransactionMs);
}

/** The URL of the embedded database that a running process holds open in this folder, if there is one. */
export async function findEmbeddedDatabase(dataDir: string): Promise<string | undefined> {
  for (const claim of await FolderClaim.all(claimsFolder(resolve(dataDir)))) {
    const claimant = await claim.livingClaimant();
    if (claimant?.holds) return urlOf(claimant.password, claimant.port ?? claim);
  }
  return undefined;
}

/** @param prepare what to do before anybody can connect */
export async function openInMemory(
  snapshot?: Blob,
  idleTransactionMs?: number,
  prepare?: (engine: PGlite) => Promise<void>,
): Promise<EmbeddedDatabase> {
  const server = new WireServer(idleTransactionMs);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  // The data are in memory, so there is nothing to save: the server does not keep the process alive.
  server.unref();
  try {
    const engine = await openEngineInMemory(snapshot);
    await prepare?.(engine);
    return await serve(engine, server, urlOf(server.password, port));
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function openInFolder(
  dataDir: string,
  snapshot?: SnapshotSource,
  idleTransactionMs?: number,
): Promise<EmbeddedDatabase> {
  const claim = await claimIn(dataDir);
  const server = new WireServer(idleTransactionMs);
  try {
    const port = await listenFor(claim, server);
    await holdDataDir(dataDir, claim, { pid: process.pid, password: server.password, port });
    const engine = await openEngineIn(dataDir, snapshot);
    return await serve(engine, server, urlOf(server.password, port ?? claim), () => claim.remove());
  } catch (error) {
    await claim.remove();
    await server.close();
    throw error;
  }
}

async function claimIn(dataDir: string): Promise<FolderClaim> {
  try {
    await makeFolder(dataDir);
    return await FolderClaim.prepare(claimsFolder(dataDir));
  } catch (cause) {
    const why = `it cannot be made, or not be written (${(cause as NodeJS.ErrnoException).code})`;
    throw new DataDirUnusableError(dataDir, why, 'Make it a folder that this user can write', { cause });
  }
}

/**
 * A Unix socket in the claim's folder, which only this user can reach; or a port, if the operating system or the file
 * system has no such sockets (Windows, some folders shared with a container).
 */
async function listenFor(claim: FolderClaim, server: WireServer): Promise<number | undefined> {
  const { socketPath } = claim;
  if (socketPath !== undefined) {
    try {
      return await server.listen({ path: socketPath });
    } catch {
      // The port below works in every folder.
    }
  }
  return server.listen({ host: '127.0.0.1', port: 0 });
}

async function serve(
  engine: PGlite,
  server: WireServer,
  url: string,
  letGo: () => Promise<void> = () => Promise.resolve(),
): Promise<EmbeddedDatabase> {
  const session = await SharedSession.start(engine);
  server.open(session);
  let closing: Promise<void> | undefined;
  const close = async () => {
    try {
      await server.refuseConnections();
      await engine.close();
    } finally {
      // The server listens until the folder is free: a process that finds no listener there takes the folder.
      await letGo();
      await server.close();
    }
  };
  return {
    url,
    snapshot: () => session.snapshot(),
    endConnections: () => server.endConnections(),
    close: () => (closing ??= close()),
  };
}

/** `PGSSLMODE` of the environment must not apply. */
const NO_TLS = 'sslmode=disable';

function urlOf(password: string, place: FolderClaim | number | undefined): string {
  const credentials = `postgres:${password}`;
  if (place instanceof FolderClaim) {
    return `postgres://${credentials}@localhost:5432/postgres?host=${encodeURIComponent(place.folder)}&${NO_TLS}`;
  }
  return `postgres://${credentials}@127.0.0.1:${place}/postgres?${NO_TLS}`;
}
