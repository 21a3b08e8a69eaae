import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../support/whole-schema';
import {
  afterCommit,
  databaseCode,
  type OpenedDatabase,
  type Queryable,
  Statements,
} from '@user-administration/postgres';
import { Transactions } from '../../src/database/transactions';
import { openTestDatabase } from '../support/test-database';
import { StatementLog } from './statement-log';

let database: OpenedDatabase;
let dataSource: DataSource;
let transactions: Transactions;

beforeAll(async () => {
  database = await openTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE TABLE notes (attempt integer)');
  await client.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation TO ''repeatable read''', current_database());
  END $$`);
  await client.end();
  dataSource = createDataSource(database);
  StatementLog.of(dataSource);
  await dataSource.initialize();
  transactions = new Transactions(dataSource, new Statements(dataSource));
});
afterAll(async () => {
  await dataSource.destroy();
  await database.close();
});
beforeEach(() => dataSource.query('DELETE FROM notes'));

const fail = (sqlState: string) => `DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${sqlState}'; END $$`;

async function notes(): Promise<number[]> {
  const rows: { attempt: number }[] = await dataSource.query('SELECT attempt FROM notes ORDER BY attempt');
  return rows.map(({ attempt }) => attempt);
}

describe('a transaction', () => {
  it.each(['40001', '40P01'])('is repeated as a whole after a conflict (%s)', async (sqlState) => {
    let attempt = 0;
    const answer = await transactions.run(async (manager) => {
      attempt += 1;
      await manager.query('INSERT INTO notes VALUES ($1)', [attempt]);
      if (attempt < 3) await manager.query(fail(sqlState));
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await notes()).toEqual([3]);
  });

  it('has the effects of the attempt that commits, once it has committed', async () => {
    const effects: string[] = [];
    let attempts = 0;
    await transactions.run(async (manager) => {
      const attempt = String(++attempts);
      for (const effect of ['first', 'second']) afterCommit(manager, () => effects.push(`${effect} of ${attempt}`));
      if (attempts < 2) await manager.query(fail('40001'));
      expect(effects).toEqual([]);
    });
    expect(effects).toEqual(['first of 2', 'second of 2']);
  });

  it('has no effect if its commit fails', async () => {
    const effects: string[] = [];
    const run = transactions.run(async (manager) => {
      afterCommit(manager, () => effects.push('an effect'));
      await manager.query(
        'CREATE TEMPORARY TABLE once (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP',
      );
      await manager.query('INSERT INTO once VALUES (1), (1)');
    });
    await expect(run).rejects.toThrow('duplicate key');
    expect(effects).toEqual([]);
  });

  it('fails if the conflict does not end, after pauses that double up to half a second, shortened at random', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.04);
    const began = performance.now();
    let attempts = 0;
    const run = transactions.run((manager) => {
      attempts += 1;
      return manager.query(fail('40P01'));
    });
    expect(databaseCode(await run.catch((error: unknown) => error))).toBe('40P01');
    expect(attempts).toBe(10);
    // A 25th of 10, 20, 40, 80, 160 and 320 ms, and of three times 500 ms. A timer can be a millisecond early.
    expect(performance.now() - began).toBeGreaterThan(85 - 9);
    random.mockRestore();
  });

  it('is not repeated after any other failure, and leaves nothing', async () => {
    let attempts = 0;
    const run = transactions.run(async (manager) => {
      attempts += 1;
      await manager.query('INSERT INTO notes VALUES (1)');
      await manager.query(fail('23505'));
    });
    expect(databaseCode(await run.catch((error: unknown) => error))).toBe('23505');
    expect(attempts).toBe(1);
    expect(await notes()).toEqual([]);
  });

  it('sees what others have committed while it waited, whatever the server’s default is', async () => {
    const show = (sender: Queryable) => sender.query('SHOW transaction_isolation', []);
    expect(await transactions.run(show)).toEqual([{ transaction_isolation: 'read committed' }]);
    expect(await transactions.call(show)).toEqual([{ transaction_isolation: 'read committed' }]);
  });
});
