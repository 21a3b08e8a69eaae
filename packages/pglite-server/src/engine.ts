import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { DataDirUnusableError } from './folder-errors';
import { unpackSnapshot } from './unpack-snapshot';

/**
 * PostgreSQL must stop a deep recursion before WebAssembly runs out of stack: PGlite treats an overflow as a statement
 * without an answer, and may never recover. This is the lowest value that PostgreSQL accepts.
 */
const MAX_STACK_DEPTH = '100kB';

/**
 * The size of write-ahead log files, in MB. The first one exists from the start, filled with zeros. The default of 16
 * would be larger than the rest of a new database.
 */
const WAL_FILE_MB = 1;

export function isDatabaseIn(folder: string): boolean {
  return existsSync(dataIn(folder));
}

function dataIn(folder: string): string {
  return join(folder, 'postgres');
}

/**
 * Opens the database in `<folder>/postgres`. It creates the database at first, from a snapshot if there is one. The
 * caller holds the folder.
 *
 * @throws DataDirUnusableError when what is there cannot be opened
 */
export async function openEngineIn(folder: string, snapshot?: SnapshotSource): Promise<PGlite> {
  const data = dataIn(folder);
  if (!isDatabaseIn(folder)) {
    // The folder is created under another name, so that a process that dies meanwhile leaves nothing that looks like a
    // database.
    const unfinished = `${data}.new`;
    await rm(unfinished, { recursive: true, force: true });
    // PGlite creates its files readable and writable for everybody, so their folder must admit only its owner.
    await mkdir(unfinished, { mode: 0o700 });
    const tar = await snapshot?.();
    if (tar) await unpackSnapshot(tar, unfinished);
    else await (await start(unfinished)).close();
    await rename(unfinished, data);
  }
  try {
    await refuseForeign(data);
    return await start(data, { shared_buffers: '32MB' });
  } catch (cause) {
    throw new DataDirUnusableError(
      folder,
      `what is in ${data} is no database that this version can open, or a damaged one`,
      'Put a backup in its place, or move it away to begin with an empty one',
      { cause },
    );
  }
}

/** Returns a snapshot (a tar file), if there is one. It is called only for a new database. */
export type SnapshotSource = () => Promise<Buffer | undefined>;

/** PGlite would create a new database over existing files. */
async function refuseForeign(data: string): Promise<void> {
  const names = await readdir(data);
  if (names.length > 0 && !names.includes('PG_VERSION')) throw new Error('PG_VERSION is missing');
}

/** Opens PostgreSQL in memory, empty or from `snapshot` (four times as fast). */
export function openEngineInMemory(snapshot?: Blob): Promise<PGlite> {
  // Its files are in memory already, so a buffer holds a second copy of them. Preparing the default of 160 MB would take
  // as long as the rest of the start. PostgreSQL would keep used files of the write-ahead log for later, and snapshots would
  // contain them.
  return start('memory://', { shared_buffers: '2MB', wal_recycle: 'off' }, snapshot);
}

async function start(dataDir: string, settings: Record<string, string> = {}, loadDataDir?: Blob): Promise<PGlite> {
  // The optimizing compiler for WebAssembly takes 100 MB and a quarter of a start, and makes a small directory no faster.
  // `--liftoff-only` would not do: since Node 24 it has no effect in a running process.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  // Loaded lazily, so that a service with a server never loads the WebAssembly.
  const { PGlite } = await import('@electric-sql/pglite');
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm');
  return PGlite.create({
    dataDir,
    extensions: { pg_trgm },
    ...(loadDataDir && { loadDataDir }),
    initDbStartParams: [`--wal-segsize=${WAL_FILE_MB}`],
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries({ max_stack_depth: MAX_STACK_DEPTH, ...settings }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]),
    ],
  });
}
