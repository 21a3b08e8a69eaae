import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { OpenedDatabase } from '@user-administration/postgres';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@user-administration/pglite-server';
import { openTestDatabase } from '../support/test-database';
import { describeOnServer } from '../support/describe-on-server';
import { ServiceProcess } from '../support/service-process';
import { emptySnapshot } from '../support/snapshots';
import { expectFailure, failToStart } from './failed-start';

const ELSEWHERE = 'or choose another folder with DATA_DIR, or a server with DATABASE_URL.';

describe('a start on the embedded database', () => {
  let folder: string;
  let database: EmbeddedDatabase | undefined;

  beforeEach(() => {
    database = undefined;
    folder = mkdtempSync(join(tmpdir(), 'failing-start-'));
  });
  afterEach(async () => {
    await database?.close();
    rmSync(folder, { recursive: true });
  });

  it('names the process that uses the folder', async () => {
    database = await openEmbeddedDatabase({ dataDir: folder, snapshot: emptySnapshot });
    await expectFailure(
      { DATA_DIR: folder },
      `The data folder ${folder} is in use by process ${process.pid}. Stop that process first, ${ELSEWHERE}`,
    );
  });

  it('opens the embedded database whatever the TLS settings of libpq are', async () => {
    const service = await ServiceProcess.start({ DATA_DIR: folder, PGSSLMODE: 'verify-full' });
    await service.until(200, '/health/ready');
    expect(await service.stop()).toBe(0);
  });

  it('reports that the folder is no database, and changes nothing in it', async () => {
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '12\n');
    await expectFailure(
      { DATA_DIR: folder },
      `The data folder ${folder} cannot be used: what is in ${join(folder, 'postgres')} is no database that this version ` +
        `can open, or a damaged one. Put a backup in its place, or move it away to begin with an empty one, ${ELSEWHERE}`,
    );
  });

  it('reports that the folder cannot be created', async () => {
    // Not even root can make a folder below a device.
    await expectFailure(
      { DATA_DIR: '/dev/null/data' },
      'The data folder /dev/null/data cannot be used: it cannot be made, or not be written (ENOTDIR). ' +
        `Make it a folder that this user can write, ${ELSEWHERE}`,
    );
  });

  // Node's recursive `mkdir` never returns there.
  it.each(['/proc/data', '/proc/deep/data'])(
    'reports that the folder cannot be created in a file system that takes no folders: %s',
    async (path) => {
      await expectFailure(
        { DATA_DIR: path },
        `The data folder ${path} cannot be used: it cannot be made, or not be written (ENOENT). ` +
          `Make it a folder that this user can write, ${ELSEWHERE}`,
      );
      await expectFailure(
        { DATA_DIR: path, JWT_SECRET: '' },
        'The configuration has problems:\n  - DATA_DIR must be a folder for a generated secret, or set one of JWT_SECRET, ' +
          `JWT_PUBLIC_KEY or JWT_JWKS_URI: ENOENT: no such file or directory, mkdir '${path.split('/').slice(0, 3).join('/')}'.`,
      );
    },
  );
});

describe('a start with a database that it cannot use', () => {
  let database: OpenedDatabase;

  beforeEach(async () => {
    database = await openTestDatabase({ empty: true });
  });
  afterEach(() => database.close());

  const NOT_MIGRATED =
    'The database could not be migrated: a step failed, and was undone (42P07: relation "users" already exists). ' +
    'Set DATABASE_URL to a separate database in which the user may create tables, or without DATABASE_URL, set another DATA_DIR.';

  async function occupy(): Promise<void> {
    const client = new Client(database.url);
    await client.connect();
    await client.query('CREATE TABLE users (name text)');
    await client.end();
  }

  it('reports that a database with foreign tables cannot be migrated', async () => {
    await occupy();
    await expectFailure({ DATABASE_URL: database.url }, NOT_MIGRATED);
  });

  describeOnServer('on a server', () => {
    it('reports that no database has this name', async () => {
      const url = new URL(database.url);
      url.pathname = '/hunter2';
      await expectFailure(
        { DATABASE_URL: url.href },
        'The database cannot be used: the server has no database of the name in DATABASE_URL (3D000). ' +
          'Correct the name, or create the database.',
      );
    });

    it('reports that the server does not know the user', async () => {
      const url = new URL(database.url);
      url.username = 'hunter2';
      const { exitCode, stdout, stderr } = await failToStart({ DATABASE_URL: url.href });
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^The database cannot be used: the server .* DATABASE_URL .*\((28P01|28000)\)\. Correct .*\n$/,
      );
      expect(stderr).not.toContain('hunter2');
    });
  });
});

describe('a start with the wrong password', () => {
  let database: EmbeddedDatabase;

  beforeAll(async () => {
    const snapshot = await emptySnapshot();
    database = await openEmbeddedDatabase({ inMemory: true, ...(snapshot && { snapshot: new Blob([snapshot]) }) });
  });
  afterAll(() => database.close());

  it('reports the wrong password without quoting it', async () => {
    const url = new URL(database.url);
    url.password = 'hunter2';
    await expectFailure(
      { DATABASE_URL: url.href },
      'The database cannot be used: the server refuses the user or the password in DATABASE_URL (28P01). Correct them.',
    );
  });
});
