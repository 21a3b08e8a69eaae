import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { createDataSource } from './data-source';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@user-administration/pglite-server';
import { migrate } from './migrate';
import { readSqlFunctions } from './sql-functions';
import { SQL_RELEASE } from './sql-release';

/** The build places the snapshot beside the compiled files. The sources have none. */
const FOLDER = join(__dirname, 'prepared');
const MIGRATIONS = join(__dirname, 'migrations');

/** Two databases as tar files, from which others open in a fraction of the time. */
interface Snapshots {
  empty: Buffer;
  /** With the schema of this release, and without records. */
  migrated: Buffer;
}

/** Creates a database in memory, and takes a snapshot before and after the migrations. */
export async function makeSnapshots(): Promise<Snapshots> {
  const database = await openEmbeddedDatabase({ inMemory: true });
  const dataSource = createDataSource({ url: database.url, poolSize: 1 });
  try {
    await dataSource.initialize();
    // The templates are two thirds of the files, and no other database is created from them here.
    await dataSource.query('UPDATE pg_database SET datistemplate = false');
    for (const name of ['template0', 'template1']) await dataSource.query(`DROP DATABASE ${name}`);
    const empty = await taken(database);
    await migrate(dataSource);
    return { empty, migrated: await taken(database) };
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.close();
  }
}

async function taken(database: EmbeddedDatabase): Promise<Buffer> {
  return Buffer.from(await (await database.snapshot()).arrayBuffer());
}

/**
 * The file of the snapshot of an empty database with the schema of this release. Its name is derived from the engine,
 * the migrations and the SQL functions, so no other snapshot is ever opened.
 */
export function preparedFile(): string {
  const hash = createHash('sha256').update(engineVersion());
  for (const name of readdirSync(MIGRATIONS).filter((it) => /\.[jt]s$/.test(it) && !it.endsWith('.d.ts'))) {
    hash.update(name).update(readFileSync(join(MIGRATIONS, name)));
  }
  hash.update(String(SQL_RELEASE.number));
  for (const { name, hash: content } of readSqlFunctions()) hash.update(`${name} ${content}`);
  return join(FOLDER, `${hash.digest('hex').slice(0, 32)}.tar.gz`);
}

/** The prepared snapshot as a tar file; undefined if there is none and the database must be created step by step. */
export async function preparedSnapshot(): Promise<Buffer | undefined> {
  const compressed = await readPrepared();
  if (!compressed) return undefined;
  // A gzip file ends with the size of its content (RFC 1952). In one chunk, nothing has to be joined. A chunk that is full would
  // make zlib allocate another.
  return promisify(gunzip)(compressed, { chunkSize: compressed.readUInt32LE(compressed.length - 4) + 1 });
}

/** The prepared snapshot for a database in memory, which decompresses it itself: this keeps fewer copies of it. */
export async function preparedBlob(): Promise<Blob | undefined> {
  const compressed = await readPrepared();
  return compressed && new Blob([compressed], { type: 'application/gzip' });
}

async function readPrepared(): Promise<Buffer | undefined> {
  const file = preparedFile();
  return existsSync(file) ? readFile(file) : undefined;
}

/** A database can only be opened by the version of PostgreSQL that created it. */
function engineVersion(): string {
  const manifest = join(dirname(require.resolve('@electric-sql/pglite')), '../package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
