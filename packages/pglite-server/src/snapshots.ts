import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { openInMemory } from './embedded-database';

/** Two databases as tar files, from which others open in a fraction of the time. */
interface Snapshots {
  empty: Buffer;
  filled: Buffer;
}

/**
 * Takes a snapshot of an empty database, and one after `fill`. Neither has the databases `template0` and `template1`, which
 * would be two thirds of the files, so no other database can be created in what is opened from it.
 *
 * @param fill gets the URL of the database, and closes its connections
 */
export async function makeSnapshots(fill: (url: string) => Promise<void>): Promise<Snapshots> {
  let empty = Buffer.alloc(0);
  const database = await openInMemory(undefined, undefined, async (engine) => {
    await engine.exec('UPDATE pg_database SET datistemplate = false');
    for (const name of ['template0', 'template1']) await engine.exec(`DROP DATABASE ${name}`);
    await engine.exec('CHECKPOINT');
    empty = await bufferOf(await engine.dumpDataDir('none'));
  });
  try {
    await fill(database.url);
    return { empty, filled: await bufferOf(await database.snapshot()) };
  } finally {
    await database.close();
  }
}

async function bufferOf(snapshot: Blob): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(await snapshot.arrayBuffer());
}

/**
 * The path of a gzipped snapshot. Its name is derived from the engine and the sources, so a snapshot of others is never
 * opened: only the version of PostgreSQL that created a database can open it.
 *
 * @param sources what the snapshot was made from
 */
export function snapshotFile(folder: string, sources: Iterable<string | Buffer>): string {
  const hash = createHash('sha256').update(engineVersion());
  for (const source of sources) hash.update(source);
  return join(folder, `${hash.digest('hex').slice(0, 32)}.tar.gz`);
}

function engineVersion(): string {
  const manifest = join(dirname(require.resolve('@electric-sql/pglite')), '../package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** The snapshot in a {@link snapshotFile}, for a database in a folder; undefined if there is none. */
export async function readSnapshot(file: string): Promise<Buffer | undefined> {
  const compressed = await readIfAny(file);
  if (!compressed) return undefined;
  // A gzip file ends with the size of its content (RFC 1952). In one chunk, nothing has to be joined. A chunk that is full would
  // make zlib allocate another.
  return promisify(gunzip)(compressed, { chunkSize: compressed.readUInt32LE(compressed.length - 4) + 1 });
}

/** The same for a database in memory, which decompresses it itself: this keeps fewer copies of it. */
export async function readSnapshotBlob(file: string): Promise<Blob | undefined> {
  const compressed = await readIfAny(file);
  return compressed && new Blob([compressed], { type: 'application/gzip' });
}

async function readIfAny(file: string): Promise<Buffer | undefined> {
  return existsSync(file) ? readFile(file) : undefined;
}
