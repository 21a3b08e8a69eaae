import type { DataSource } from 'typeorm';
import { UserRecords } from '../../src/auth/user-records';
import { createDataSource } from '../../src/database/data-source';
import type { OpenedDatabase } from '../../src/database/open-database';
import { migrate } from '../../src/database/migrate';
import { Statements } from '../../src/database/statements';
import { DirectoryBuilder } from '../support/directory-builder';
import { openTestDatabase } from '../support/test-database';
import { StatementLog } from '../database/statement-log';

let database: OpenedDatabase;
let dataSource: DataSource;
let log: StatementLog;
let records: UserRecords;

beforeAll(async () => {
  database = await openTestDatabase();
  dataSource = createDataSource(database);
  await dataSource.initialize();
  await migrate(dataSource);
  const directory = new DirectoryBuilder(dataSource);
  await directory.user('ada', { type: 'administrator' });
  await directory.user('ben', { type: 'member', status: 'inactive' });
  log = StatementLog.of(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.close();
});
beforeEach(() => {
  records = new UserRecords(new Statements(dataSource));
  log.take();
});

const ADA = { id: 'ada', type: 'administrator', status: 'active' };
const BEN = { id: 'ben', type: 'member', status: 'inactive' };

it('looks up the users of concurrent callers with one statement, and gives each its own', async () => {
  const asked = ['ben', 'ada', 'nobody', 'ben', 'ada'];
  expect(await Promise.all(asked.map((id) => records.find(id)))).toEqual([BEN, ADA, undefined, BEN, ADA]);
  expect(log.take()).toHaveLength(1);
});

it('does not cache a user', async () => {
  expect(await records.find('ada')).toEqual(ADA);
  await dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'ada'`);
  expect(await records.find('ada')).toEqual({ ...ADA, status: 'inactive' });
  await dataSource.query(`UPDATE users SET status = 'active' WHERE id = 'ada'`);
  expect(await records.find('ada')).toEqual(ADA);
});

it('fails all concurrent look-ups if their statement fails, but not later ones', async () => {
  await dataSource.query('ALTER TABLE users RENAME TO elsewhere');
  const failed = await Promise.allSettled([records.find('ada'), records.find('ben')]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await dataSource.query('ALTER TABLE elsewhere RENAME TO users');
  expect(await records.find('ada')).toEqual(ADA);
});
