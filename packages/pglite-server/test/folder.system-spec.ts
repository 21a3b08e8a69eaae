import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { DataDirInUseError, DataDirUnusableError } from '../src/folder-errors';
import { findEmbeddedDatabase, openEmbeddedDatabase } from '../src/embedded-database';
import { unpackSnapshot } from '../src/unpack-snapshot';
import { emptySnapshot } from './empty-snapshot';

describe('the embedded database in a folder', () => {
  let scratch: string;
  let template: string;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'embedded-folder-'));
    template = join(scratch, 'template', 'data');
    const database = await openEmbeddedDatabase({ dataDir: template, snapshot: emptySnapshot });
    await query(database.url, 'CREATE TABLE kept (n integer)');
    await database.close();
  });

  afterAll(() => rm(scratch, { recursive: true, force: true }));

  /** A folder of this name with a database in it, made faster than a new one. */
  const folder = async (name: string): Promise<string> => {
    const path = join(scratch, name);
    await mkdir(dirname(path), { recursive: true });
    // Node takes ten times as long for its thousand files.
    await promisify(execFile)('cp', ['-a', template, path]);
    return path;
  };
  const query = async (url: string | undefined, statement: string): Promise<unknown[]> => {
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(statement);
    await client.end();
    return rows;
  };

  it('creates folders that only their owner can enter, with nothing in them but the database', async () => {
    expect(await readdir(template)).toEqual(['postgres', 'postgres.lock']);
    expect(await readdir(join(template, 'postgres.lock'))).toEqual([]);
    for (const path of [template, join(template, 'postgres'), join(template, 'postgres.lock')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
  });

  it.each([
    ['a name with spaces and letters of all kinds', 'a folder, données/资料 %20'],
    ['a path that is too long for a Unix socket', join('long'.repeat(20), 'long'.repeat(20))],
  ])('keeps its data in a folder named %s', async (_, name) => {
    const dataDir = await folder(name);
    const first = await openEmbeddedDatabase({ dataDir });
    await query(first.url, 'INSERT INTO kept VALUES (1)');
    await first.close();
    const second = await openEmbeddedDatabase({ dataDir });
    expect(await query(await findEmbeddedDatabase(dataDir), 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    await expect(openEmbeddedDatabase({ dataDir })).rejects.toThrow(DataDirInUseError);
    await second.close();
    expect(await findEmbeddedDatabase(dataDir)).toBeUndefined();
  });

  it('recognizes a folder by any path to it', async () => {
    const dataDir = await folder('paths');
    const database = await openEmbeddedDatabase({ dataDir: relative(process.cwd(), dataDir) });
    await expect(openEmbeddedDatabase({ dataDir })).rejects.toMatchObject({ pid: process.pid, dataDir });
    expect(await findEmbeddedDatabase(dataDir)).toBe(database.url);
    await database.close();
  });

  it('is not found in an empty or missing folder, and none is created there', async () => {
    const empty = join(scratch, 'empty');
    await mkdir(empty);
    expect(await findEmbeddedDatabase(empty)).toBeUndefined();
    expect(await readdir(empty)).toEqual([]);
    expect(await findEmbeddedDatabase(join(scratch, 'missing'))).toBeUndefined();
  });

  it('is created again if its creation was interrupted', async () => {
    const dataDir = join(scratch, 'cut short');
    await mkdir(join(dataDir, 'postgres.new', 'base'), { recursive: true });
    const database = await openEmbeddedDatabase({ dataDir });
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
    expect(await readdir(dataDir)).toEqual(['postgres', 'postgres.lock']);
  });

  it('releases a folder whose database cannot be opened', async () => {
    const dataDir = join(scratch, 'not a database');
    await mkdir(dataDir);
    await cp(__filename, join(dataDir, 'postgres'));
    await expect(openEmbeddedDatabase({ dataDir })).rejects.toThrow(DataDirUnusableError);
    await rm(join(dataDir, 'postgres'));
    await cp(join(template, 'postgres'), join(dataDir, 'postgres'), { recursive: true });
    await (await openEmbeddedDatabase({ dataDir })).close();
  });

  it('does not replace a database that has lost files', async () => {
    const dataDir = await folder('lost its version');
    await rm(join(dataDir, 'postgres', 'PG_VERSION'));
    await expect(openEmbeddedDatabase({ dataDir })).rejects.toThrow(DataDirUnusableError);
    await cp(join(template, 'postgres', 'PG_VERSION'), join(dataDir, 'postgres', 'PG_VERSION'));
    const database = await openEmbeddedDatabase({ dataDir });
    expect(await query(database.url, 'SELECT n FROM kept')).toEqual([]);
    await database.close();
  });

  it.each(['url', 'extra'])('is reached by TypeORM through its option `%s`', async (option) => {
    const database = await openEmbeddedDatabase({ dataDir: await folder(`typeorm by ${option}`) });
    const address = option === 'url' ? { url: database.url } : { extra: { connectionString: database.url } };
    const dataSource = await new DataSource({ type: 'postgres', poolSize: 1, ...address }).initialize();
    expect(await dataSource.query('SELECT $1::integer AS one', [1])).toEqual([{ one: 1 }]);
    await dataSource.destroy();
    await database.close();
  });

  it('is not filled by a snapshot that names files outside of it', async () => {
    const folder = join(scratch, 'unpacked');
    await mkdir(folder);
    const header = Buffer.alloc(1024);
    header.write('../outside');
    header.write('00000000003', 124);
    header.write('0', 156);
    await expect(unpackSnapshot(header, folder)).rejects.toThrow('outside of its folder: ../outside');
    await expect(readdir(folder)).resolves.toEqual([]);
  });
});
