import { queryObjects } from 'node:v8';
import { DataSource } from 'typeorm';
import { ConnectionPool, ConnectionPools } from '../../src/database/connection-pools';
import { dataSourceOptions } from '../../src/database/data-source';
import { readDatabase } from '../../src/config/database.config';
import { EnvironmentReader } from '../../src/config/environment';

/** Nobody listens there. */
const NOWHERE = { url: 'postgres://postgres@127.0.0.1:1/postgres', poolSize: 2 };

const ATTEMPTS = 20;

// TypeORM makes a pool for each attempt, and an outage at the start can last for days.
it('an attempt to connect that failed leaves no pool in memory', async () => {
  const pools = new ConnectionPools(NOWHERE, readDatabase(new EnvironmentReader({ NODE_ENV: 'test' })));
  const dataSource = new DataSource({
    ...dataSourceOptions(NOWHERE),
    driver: { Pool: ConnectionPool },
    extra: { pools },
  });
  const attempt = () => expect(dataSource.initialize()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  // It collects garbage first.
  const inMemory = () => queryObjects(ConnectionPool, { format: 'count' }) as number;

  await attempt();
  const before = inMemory();
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) await attempt();
  // The last one may still be referred to.
  expect(inMemory() - before).toBeLessThan(ATTEMPTS / 2);
  expect(pools.use).toEqual({ busy: 0, idle: 0, waiting: 0 });
});
