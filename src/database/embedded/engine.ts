import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { DataDirUnusableError } from './data-dir-unusable.error';
import { unpackSnapshot } from './unpack-snapshot';

/**
 * PostgreSQL must give up on a deep recursion before WebAssembly runs out of stack: PGlite takes an overflow for a
 * statement without an answer, and may never come back from it. This is the lowest that PostgreSQL accepts.
 */
const MAX_STACK_DEPTH = '100kB';

/**
 * The size of the files of the write-ahead log, in MB. One file is there from the start, full of zeros. Sixteen, the default, would be
 * more than all the rest of a new database.
 */
const WAL_FILE_MB = 1;

/**
 * Opens PostgreSQL on a database kept in `<folder>/postgres`, and creates it at first, from a snapshot if there is one. The
 * caller holds the folder.
 *
 * @throws DataDirUnusableError when what is there cannot be opened
 */
export async function openEngineIn(folder: string, snapshot: SnapshotSource = noSnapshot): Promise<PGlite> {
  const data = join(folder, 'postgres');
  if (!existsSync(data)) {
    // Made under another name, so that a process that dies half-way leaves nothing that looks like a database.
    const unfinished = `${data}.new`;
    await rm(unfinished, { recursive: true, force: true });
    // PGlite lets everybody read and write its files; their folder must not let anybody in.
    await mkdir(unfinished, { mode: 0o700 });
    const tar = await snapshot();
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

/** Gives a snapshot (a tar file), if there is one. It is asked only when a new database is made. */
export type SnapshotSource = () => Promise<Buffer | undefined>;

const noSnapshot: SnapshotSource = () => Promise.resolve(undefined);

/** PGlite would make a new database over whatever is there. */
async function refuseForeign(data: string): Promise<void> {
  const names = await readdir(data);
  if (names.length > 0 && !names.includes('PG_VERSION')) throw new Error('PG_VERSION is missing');
}

/** Opens PostgreSQL in memory: empty, or as it was when `snapshot` was taken (four times as fast). */
export function openEngineInMemory(snapshot?: Blob): Promise<PGlite> {
  // Its files are in memory already. To prepare a buffer of the usual 160 MB would take as long as all the rest of a start.
  return start('memory://', { shared_buffers: '8MB' }, snapshot);
}

async function start(dataDir: string, settings: Record<string, string> = {}, loadDataDir?: Blob): Promise<PGlite> {
  // The optimising compiler for WebAssembly takes 100 MB and a quarter of a start, and makes a small directory no faster. A version
  // of Node that does not know this switch says so, and goes on.
  setFlagsFromString('--liftoff-only');
  // Loaded late: a service that has a server of its own never pays for the WebAssembly.
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
