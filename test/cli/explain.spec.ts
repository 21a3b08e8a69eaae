import { explain } from '../../src/cli/explain';
import { TransferDatabase } from '../directory-transfer/transfer-database';

let database: TransferDatabase;
beforeAll(async () => {
  database = await TransferDatabase.open();
});
afterAll(() => database.close());

it('says that nothing was imported if others create the same record in each attempt', async () => {
  await database.dataSource.query(`
    CREATE FUNCTION be_overtaken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE unique_violation USING CONSTRAINT = 'users_id_unique';
    END $$`);
  await database.dataSource.query(
    'CREATE TRIGGER be_overtaken BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION be_overtaken()',
  );
  const error: unknown = await database.import({ user: { id: 'ada' } }).catch((reason: unknown) => reason);
  expect(explain(error)).toBe('Other transactions changed the same records. Nothing was imported; try again.');
});

it('says of other commands what the database said', async () => {
  const failed = (code: string) =>
    database.dataSource
      .query(`DO $$ BEGIN RAISE 'Said by the database' USING ERRCODE = '${code}'; END $$`)
      .catch((reason: unknown) => reason);
  // A migration finds a value twice, or a reference without its row, or another transaction in the way.
  for (const code of ['23505', '23503', '40P01']) expect(explain(await failed(code))).toBe('Said by the database');
});
