import { TransferDatabase } from './transfer-database';

let database: TransferDatabase;
beforeAll(async () => {
  database = await TransferDatabase.open();
});
afterAll(() => database.close());

it('starts an import again after each of many conflicts, and reports the rows of the attempt that succeeds', async () => {
  // A rollback does not take a number back.
  await database.dataSource.query('CREATE SEQUENCE attempts');
  await database.dataSource.query(`
    CREATE FUNCTION meet_a_conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('attempts') < 12 THEN
        RAISE serialization_failure;
      END IF;
      RETURN NEW;
    END $$`);
  await database.dataSource.query(
    'CREATE TRIGGER meet_a_conflict BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION meet_a_conflict()',
  );
  const summary = await database.importLines(['{"user":{"id":"ada"}}']);
  expect(summary).toMatchObject({ records: 1, created: { user: 1 } });
  const [{ last_value: attempts }] = await database.dataSource.query<[{ last_value: string }]>(
    'SELECT last_value FROM attempts',
  );
  expect(Number(attempts)).toBe(12);
});
