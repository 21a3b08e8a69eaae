import { POOL_OPTIONS } from '../support/pool-options';
import type { DataSource } from 'typeorm';
import {
  ConnectionPools,
  databaseCode,
  isDatabaseUnavailable,
  type OpenedDatabase,
  ReservedStatements,
  Statements,
} from '@user-administration/postgres';
import { createDataSource } from '../support/whole-schema';
import { openTestDatabase } from '../support/test-database';
import { describeOnServer } from '../support/describe-on-server';

let database: OpenedDatabase;
let dataSource: DataSource;
let statements: Statements;

const answerer = async () => (await statements.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid', []))[0]?.pid;

beforeEach(async () => {
  database = await openTestDatabase();
  dataSource = createDataSource({ ...database, poolSize: 1 });
  statements = new Statements(dataSource);
});
afterEach(async () => {
  if (dataSource.isInitialized) await dataSource.destroy();
  await database.close();
});

// The schema may not have been migrated yet.
it('statements fail as an outage before the first connection, also on reserved connections', async () => {
  const pools = new ConnectionPools(database, POOL_OPTIONS);
  const reserved = new ReservedStatements(dataSource, pools, { ...database, embedded: false });
  for (const sender of [statements, reserved]) {
    const failure: unknown = await sender.query('SELECT 1', []).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
  }
  await reserved.onApplicationShutdown();
});

describeOnServer('a statement that is sent straight to the pool', () => {
  beforeEach(() => dataSource.initialize());

  it('returns its connection to the pool when it fails', async () => {
    const before = await answerer();
    const failure: unknown = await statements.query('SELECT 1 / $1::int', [0]).catch((error: unknown) => error);
    expect(databaseCode(failure)).toBe('22012');
    expect(await answerer()).toBe(before);
  });

  it('does not return a broken connection to the pool', async () => {
    const before = await answerer();
    const end = 'SELECT pg_terminate_backend(pg_backend_pid())';
    const failure: unknown = await statements.query(end, []).catch((error: unknown) => error);
    expect(databaseCode(failure)).toBe('57P01');
    expect(await answerer()).not.toBe(before);
  });
});
