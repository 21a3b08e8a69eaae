import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource, migrate } from '../support/whole-schema';
import { SQL_ROOT, sqlReleases } from '../../src/database/migrate';
import { PLUGINS } from '../../src/installed-plugins';
import {
  fingerprintOf,
  type OpenedDatabase,
  pendingSqlFunctions,
  readSqlFunctions,
} from '@user-administration/postgres';
import { SQL_RELEASE } from '../../src/database/sql-release';
import { SQL_RELEASES } from './sql-releases';
import { openTestDatabase } from '../support/test-database';

let database: OpenedDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await openTestDatabase({ empty: true });
  dataSource = await createDataSource(database).initialize();
  await migrate(dataSource);
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.close();
});

/** Installs another version of the function, as the release with this number would. */
async function replaceByRelease(release: number): Promise<void> {
  await dataSource.query(
    `CREATE OR REPLACE FUNCTION require_administrator(kept bigint) RETURNS void LANGUAGE sql AS 'SELECT'`,
  );
  await dataSource.query(`UPDATE sql_functions SET hash = 'another' WHERE name = 'require_administrator'`);
  const ofService = readSqlFunctions(SQL_ROOT, 'plugins').map(({ name }) => name);
  await dataSource.query('UPDATE sql_functions SET release = $1 WHERE name = ANY ($2)', [release, ofService]);
}

async function sourceOf(name: string): Promise<string> {
  const [row]: { prosrc: string }[] = await dataSource.query('SELECT prosrc FROM pg_proc WHERE proname = $1', [name]);
  return row?.prosrc ?? '';
}

async function pending(): Promise<string[]> {
  const runner: QueryRunner = dataSource.createQueryRunner();
  try {
    const names: string[] = [];
    for (const release of sqlReleases(PLUGINS))
      names.push(...(await pendingSqlFunctions(runner, release)).functions.map(({ name }) => name));
    return names;
  } finally {
    await runner.release();
  }
}

describe('the functions of the database', () => {
  const functions = readSqlFunctions(SQL_ROOT);

  it.each(functions)('$name is in a file of that name, whose header states its locks and its result', (found) => {
    const [header = '', ...more] = found.definition.split(/^(?=CREATE )/m);
    expect(more).toHaveLength(1);
    expect(more[0]).toMatch(new RegExp(`^CREATE OR REPLACE FUNCTION ${found.name}\\(`));
    expect(header).toMatch(/^-- Locks: /m);
    expect(header).toMatch(/^-- Returns /m);
  });

  it('have different names', () => {
    expect(new Set(functions.map(({ name }) => name)).size).toBe(functions.length);
  });

  it('exist once each after a migration', async () => {
    const names: { name: string }[] = await dataSource.query(
      'SELECT proname AS name FROM pg_proc JOIN sql_functions ON name = proname ORDER BY 1',
    );
    expect(names.map(({ name }) => name)).toEqual(functions.map(({ name }) => name).toSorted());
    expect(await pending()).toEqual([]);
  });

  it.each(SQL_RELEASES)('have the release of $name recorded', ({ release, root, apart }) => {
    const recorded = fingerprintOf(readSqlFunctions(root, apart)) === release.fingerprint;
    expect(recorded || 'An SQL function was changed: run `npm run sql:release`.').toBe(true);
  });

  it('are of one release each', () => {
    const released = sqlReleases(PLUGINS).flatMap(({ root, apart }) => readSqlFunctions(root, apart));
    expect(released.map(({ name }) => name).sort()).toEqual(functions.map(({ name }) => name).sort());
    expect(SQL_RELEASES.map(({ release }) => release.number).sort()).toEqual(
      sqlReleases(PLUGINS)
        .map(({ number }) => number)
        .sort(),
    );
  });

  it.each([
    ['an earlier release', SQL_RELEASE.number - 1],
    ['a build with the same number', SQL_RELEASE.number],
  ])('are replaced if they are of %s', async (_, release) => {
    const source = await sourceOf('require_administrator');
    await replaceByRelease(release);
    expect(await pending()).toEqual(['require_administrator']);
    const migrated = await migrate(dataSource);
    expect(migrated).toEqual({ migrations: [], functions: ['require_administrator'], denied: [] });
    expect(await sourceOf('require_administrator')).toBe(source);
    expect(await pending()).toEqual([]);
  });

  it('are of this release from its first start on, even if none of them differs', async () => {
    await dataSource.query('UPDATE sql_functions SET release = 0');
    expect(await migrate(dataSource)).toEqual({ migrations: [], functions: [], denied: [] });
    const numbers = sqlReleases(PLUGINS).map(({ number }) => number);
    expect(await dataSource.query('SELECT DISTINCT release FROM sql_functions ORDER BY release')).toEqual(
      [...new Set(numbers)].sort((a, b) => a - b).map((release) => ({ release })),
    );
  });

  describe('of a later release', () => {
    const newerRelease = SQL_RELEASE.number + 1;
    let source: string;
    beforeEach(async () => {
      source = await sourceOf('require_administrator');
      await replaceByRelease(newerRelease);
    });
    afterEach(async () => {
      await dataSource.query('UPDATE sql_functions SET release = 0');
      await migrate(dataSource);
      expect(await sourceOf('require_administrator')).toBe(source);
    });

    it('are never replaced', async () => {
      expect(await migrate(dataSource)).toEqual({ migrations: [], functions: [], denied: [], newerRelease });
      expect(await sourceOf('require_administrator')).toBe('SELECT');
    });

    it('are refused if one that this release calls is not among them', async () => {
      await dataSource.query('DROP FUNCTION are_known');
      await expect(migrate(dataSource)).rejects.toThrow(
        `This release is too old for the database: its SQL functions are newer (${newerRelease}; this release has ` +
          `${SQL_RELEASE.number}), and lack are_known. Start a later release, or restore the backup from before the upgrade.`,
      );
    });

    it('are refused if one of them takes other parameters', async () => {
      await dataSource.query('DROP FUNCTION are_known');
      await dataSource.query(
        `CREATE FUNCTION are_known(text[], text[], integer) RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
      );
      await expect(migrate(dataSource)).rejects.toThrow('lack are_known.');
      await dataSource.query('DROP FUNCTION are_known');
    });
  });

  it('are created again if one is missing', async () => {
    await dataSource.query('DROP FUNCTION are_known');
    expect(await migrate(dataSource)).toMatchObject({ functions: ['are_known'] });
  });

  it('are kept for processes of the previous version if the files no longer have them', async () => {
    await dataSource.query(`CREATE FUNCTION of_the_version_before() RETURNS integer LANGUAGE sql AS 'SELECT 1'`);
    await dataSource.query(
      `INSERT INTO sql_functions (name, hash, release) VALUES ('of_the_version_before', 'any', 0)`,
    );
    await migrate(dataSource);
    expect(await dataSource.query('SELECT of_the_version_before() AS answer')).toEqual([{ answer: 1 }]);
  });
});
