import { POOL_OPTIONS } from '../support/pool-options';
import type { Socket } from 'node:net';
import { queryObjects } from 'node:v8';
import type { Client, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import {
  CannotWriteError,
  connect,
  ConnectionPool,
  ConnectionPools,
  type DatabaseAddress,
  DatabaseClient,
  DatabaseServers,
  type OpenedDatabase,
} from '@user-administration/postgres';
import { dataSourceOptions } from '../../src/database/data-source';
import { withClient } from '../../packages/testing/src/with-client';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { openTestDatabase } from '../support/test-database';

/** Nobody listens there. */
const NOWHERE = { url: 'postgres://postgres@127.0.0.1:1/postgres', poolSize: 2 };

const ATTEMPTS = 20;

// It collects garbage first.
const inMemory = () => queryObjects(ConnectionPool, { format: 'count' }) as number;

function pooled(address: DatabaseAddress): { dataSource: DataSource; pools: ConnectionPools } {
  const pools = new ConnectionPools(address, POOL_OPTIONS);
  const options = { ...dataSourceOptions(address, []), driver: { Pool: ConnectionPool }, extra: { pools } };
  return { dataSource: new DataSource(options), pools };
}

// A pooler can keep sessions that began before the defaults of the role were changed.
describe('behind a pooler, for good, counts a session', () => {
  const session = {
    isReadOnly: false,
    isStandby: false,
    encoding: 'UTF8',
    version: 150_000,
    isOnly: false,
    isShared: true,
  };

  it('with another isolation level', () => {
    const { pools } = pooled(NOWHERE);
    const levels = [true, false, true].map((isReadCommitted) => {
      pools.connected({ ...session, isBounded: true, isReadCommitted });
      return pools.areReadCommitted;
    });
    expect(levels).toEqual([true, false, false]);
  });

  it('without time-outs', () => {
    const { pools } = pooled(NOWHERE);
    const bounds = [true, false, true].map((isBounded) => {
      pools.connected({ ...session, isBounded, isReadCommitted: true });
      return pools.boundsOfTransactions;
    });
    expect(bounds).toEqual([undefined, pools.bounds, pools.bounds]);
  });
});

it('a pool without a queue refuses only what would have to wait', async () => {
  const database = await openTestDatabase();
  const bounds = { ...POOL_OPTIONS.bounds, queue: 0 };
  const pools = new ConnectionPools(database, { ...POOL_OPTIONS, bounds });
  const pool = new ConnectionPool({ max: 1, pools });
  const first = await pool.connect();
  await expect(pool.connect()).rejects.toThrow('too many wait for a connection to the database');
  first.release();
  (await pool.connect()).release();
  expect({ refused: pools.refused, use: pools.use }).toEqual({ refused: 1, use: { busy: 0, idle: 1, waiting: 0 } });
  await pool.end();
  await database.close();
});

it('a connection that is no longer trusted is closed when its work is done, and an idle one at once', async () => {
  const database = await openTestDatabase();
  const pools = new ConnectionPools(database, POOL_OPTIONS);
  const pool = new ConnectionPool({ max: 1, pools });
  const take = async () => (await pool.connect()) as PoolClient & DatabaseClient;
  try {
    const busy = await take();
    busy.distrust();
    expect((await busy.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    busy.release();
    expect(pool.totalCount).toBe(0);

    const idle = await take();
    idle.release();
    idle.distrust();
    expect((idle.connection.stream as Socket).destroyed).toBe(true);
  } finally {
    await pool.end();
    await database.close();
  }
});

it('a process that does not watch its database is not refused after a failure', () => {
  const { pools } = pooled(NOWHERE);
  pools.answered(0, Object.assign(new Error('read-only'), { code: '25006' }));
  expect(pools.heartbeat.refusal).toBeUndefined();
});

// TypeORM makes a pool for each attempt, and an outage at the start can last for days.
it('an attempt to connect that failed leaves no pool in memory', async () => {
  const { dataSource, pools } = pooled(NOWHERE);
  const attempt = () => expect(connect(dataSource)).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  await attempt();
  const before = inMemory();
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) await attempt();
  // The last one may still be referred to.
  expect(inMemory() - before).toBeLessThan(ATTEMPTS / 2);
  expect(pools.use).toEqual({ busy: 0, idle: 0, waiting: 0 });
});

/** Connections of others. */
const noneLeft = (admin: Client) =>
  eventually(async () => {
    const { rows } = await admin.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    expect(rows).toHaveLength(0);
  });

async function withAdministrator(test: (database: OpenedDatabase, admin: Client) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  try {
    await withClient(database.url, (admin) => test(database, admin));
  } finally {
    await database.close();
  }
}

describeOnServer('a server that cannot write', () => {
  it('keeps no connection of an attempt', () =>
    withAdministrator(async (database, admin) => {
      await admin.query(
        `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`,
      );
      const client = new DatabaseClient({ servers: new DatabaseServers(database), connectMs: 5_000 });
      await expect(client.connect()).rejects.toBeInstanceOf(CannotWriteError);
      await noneLeft(admin);
    }));
});

describeOnServer('a server that fails the first statement of TypeORM', () => {
  it('keeps no connection of an attempt, and neither does this process', () =>
    withAdministrator(async (database, admin) => {
      await admin.query(`CREATE FUNCTION version() RETURNS text LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = 'query_canceled'; END $$`);
      const url = new URL(database.url);
      url.searchParams.set('options', '-c search_path=public,pg_catalog');
      const { dataSource, pools } = pooled({ url: url.href, poolSize: 2 });
      const attempt = () => expect(connect(dataSource)).rejects.toMatchObject({ driverError: { code: '57014' } });

      await attempt();
      const before = inMemory();
      for (let attempts = 0; attempts < ATTEMPTS; attempts++) await attempt();
      expect(pools.use).toEqual({ busy: 0, idle: 0, waiting: 0 });
      expect(inMemory() - before).toBeLessThan(ATTEMPTS / 2);
      await noneLeft(admin);
    }));
});
