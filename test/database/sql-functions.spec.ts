import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import type { OpenedDatabase } from '../../src/database/open-database';
import { migrate } from '../../src/database/migrate';
import { pendingSqlFunctions, readSqlFunctions } from '../../src/database/sql-functions';
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

/** Changes the function in the database behind the back of the service, as another version of the service would. */
async function replaceByAnotherVersion(): Promise<void> {
  await dataSource.query(`CREATE OR REPLACE FUNCTION require_administrator() RETURNS void LANGUAGE sql AS 'SELECT'`);
  await dataSource.query(`UPDATE sql_functions SET hash = 'another' WHERE name = 'require_administrator'`);
}

async function sourceOf(name: string): Promise<string> {
  const [row]: { prosrc: string }[] = await dataSource.query('SELECT prosrc FROM pg_proc WHERE proname = $1', [name]);
  return row?.prosrc ?? '';
}

async function pending(): Promise<string[]> {
  const runner: QueryRunner = dataSource.createQueryRunner();
  try {
    return (await pendingSqlFunctions(runner)).map(({ name }) => name);
  } finally {
    await runner.release();
  }
}

describe('the functions of the database', () => {
  const functions = readSqlFunctions();

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

  it('are replaced if they differ from the files', async () => {
    const source = await sourceOf('require_administrator');
    await replaceByAnotherVersion();
    expect(await pending()).toEqual(['require_administrator']);
    await migrate(dataSource);
    expect(await sourceOf('require_administrator')).toBe(source);
    expect(await pending()).toEqual([]);
  });

  it('are kept for processes of the previous version if the files no longer have them', async () => {
    await dataSource.query(`CREATE FUNCTION of_the_version_before() RETURNS integer LANGUAGE sql AS 'SELECT 1'`);
    await dataSource.query(`INSERT INTO sql_functions (name, hash) VALUES ('of_the_version_before', 'any')`);
    await migrate(dataSource);
    expect(await dataSource.query('SELECT of_the_version_before() AS answer')).toEqual([{ answer: 1 }]);
  });
});
