import { OvertakenError } from '@user-administration/postgres';
import { TransferDatabase } from './transfer-database';

let database: TransferDatabase;
beforeAll(async () => {
  database = await TransferDatabase.open();
});
afterAll(() => database.close());

/** From now on, each of so many attempts to insert a user meets a conflict. */
async function meetConflicts(count: number): Promise<void> {
  // A rollback does not take a number back.
  await database.dataSource.query('CREATE SEQUENCE IF NOT EXISTS attempts');
  await database.dataSource.query('ALTER SEQUENCE attempts RESTART');
  await database.dataSource.query(`
    CREATE OR REPLACE FUNCTION meet_a_conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('attempts') <= ${count} THEN
        RAISE serialization_failure;
      END IF;
      RETURN NEW;
    END $$`);
  await database.dataSource.query(
    'CREATE OR REPLACE TRIGGER meet_a_conflict BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION meet_a_conflict()',
  );
}

async function attempts(): Promise<number> {
  const [row] = await database.dataSource.query<[{ last_value: string }]>('SELECT last_value FROM attempts');
  return Number(row.last_value);
}

it('starts an import again after each of many conflicts, and reports the rows of the attempt that succeeds', async () => {
  await meetConflicts(7);
  const summary = await database.importLines(['{"user":{"id":"ada"}}']);
  expect(summary).toMatchObject({ records: 1, created: { user: 1 }, rowsWritten: 1 });
  expect(await attempts()).toBe(8);
});

it('gives up after ten conflicts, and imports nothing', async () => {
  await meetConflicts(1_000);
  await expect(database.importLines(['{"user":{"id":"ben"}}'])).rejects.toThrow(OvertakenError);
  expect(await attempts()).toBe(10);
  await expect(database.dataSource.query(`SELECT FROM users WHERE id = 'ben'`)).resolves.toEqual([]);
});
