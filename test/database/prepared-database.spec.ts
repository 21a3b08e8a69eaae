import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAsBlob, readFileSync } from 'node:fs';
import { createDataSource, migrate } from '../support/whole-schema';
import { openEmbeddedDatabase, readSnapshot } from '@user-administration/pglite-server';
import { preparedFile } from '../../src/database/prepared-database';
import { PLUGINS } from '../../src/installed-plugins';

const isEmbedded = process.env.TEST_DATABASE_TEMPLATE !== undefined && !process.env.TEST_DATABASE_URL;
const onEmbedded = isEmbedded ? describe : describe.skip;
if (!isEmbedded) process.stderr.write('Skipped "a snapshot in a folder": the tests run on a server.\n');

describe('a prepared database', () => {
  it('has a name that identifies its sources, so that an outdated one is not opened', async () => {
    expect(preparedFile(PLUGINS)).toMatch(/prepared[\\/][0-9a-f]{32}\.tar\.gz$/);
    expect(preparedFile(PLUGINS)).toBe(preparedFile(PLUGINS));
    // The sources have none, and do without.
    await expect(readSnapshot(preparedFile(PLUGINS))).resolves.toBeUndefined();
  });
});

// A run on a server makes no snapshot, and there is none to unpack.
onEmbedded('a snapshot in a folder', () => {
  it('opens with no migration pending', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'snapshot-'));
    const snapshot = readFileSync(process.env.TEST_DATABASE_TEMPLATE as string);
    const database = await openEmbeddedDatabase({ dataDir, snapshot: () => Promise.resolve(snapshot) });
    const dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
    try {
      await expect(migrate(dataSource)).resolves.toEqual({ migrations: [], functions: [], denied: [] });
      await expect(dataSource.query('SELECT count(*)::integer AS users FROM users')).resolves.toEqual([{ users: 0 }]);
    } finally {
      await dataSource.destroy();
      await database.close();
    }
    // What is there stays, whatever the snapshot says.
    const again = await openEmbeddedDatabase({
      dataDir,
      snapshot: () => Promise.reject(new Error('must not be asked')),
    });
    await again.close();
    await rm(dataDir, { recursive: true });
  });

  it('has at most 16 MB', async () => {
    const { size } = await openAsBlob(process.env.TEST_DATABASE_TEMPLATE as string);
    expect(size).toBeLessThan(16 * 1024 * 1024);
  });
});
