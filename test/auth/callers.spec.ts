import { loadConfig } from '../../src/load-config';
import { UserRecords } from '../../src/auth/callers';
import { Statements } from '@user-administration/postgres';
import { useMigratedDatabase } from '../support/migrated-database';
import { StatementLog } from '../database/statement-log';

const database = useMigratedDatabase();
let log: StatementLog;
let records: UserRecords;

beforeAll(async () => {
  const { directory, dataSource } = database;
  await directory.user('ada', { type: 'administrator' });
  await directory.user('ben', { type: 'member', status: 'inactive' });
  log = StatementLog.of(dataSource);
});
beforeEach(() => {
  records = new UserRecords(new Statements(database.dataSource), CONFIG_OF_TEST);
  log.take();
});

const KEY = expect.any(String) as string;
const ADA = { key: KEY, id: 'ada', status: 'active', isAdministrator: true, mayRead: false };
const BEN = { key: KEY, id: 'ben', status: 'inactive', isAdministrator: false, mayRead: false };
const CONFIG_OF_TEST = loadConfig({ NODE_ENV: 'test' });

it('looks up the users of concurrent callers with one statement, and gives each its own', async () => {
  const asked = ['ben', 'ada', 'nobody', 'ben', 'ada'];
  expect(await Promise.all(asked.map((id) => records.find(id)))).toEqual([BEN, ADA, undefined, BEN, ADA]);
  expect(log.take()).toHaveLength(1);
});

it('does not cache a user', async () => {
  expect(await records.find('ada')).toEqual(ADA);
  await database.dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'ada'`);
  expect(await records.find('ada')).toEqual({ ...ADA, status: 'inactive', isAdministrator: false });
  await database.dataSource.query(`UPDATE users SET status = 'active' WHERE id = 'ada'`);
  expect(await records.find('ada')).toEqual(ADA);
});

it('scans no users, also by a plan from when there were few of them', async () => {
  await database.dataSource.transaction(async (manager) => {
    const find = () => manager.query('SELECT id FROM find_callers($1, $2)', [['ada'], 'users.read']);
    const scanned = () => manager.query(`SELECT seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = 'users'`);
    await find();
    await manager.query(`INSERT INTO users (id) SELECT 'user-' || n FROM generate_series(1, 2000) AS n`);
    const before: unknown = await scanned();
    expect(await find()).toEqual([{ id: 'ada' }]);
    expect(await scanned()).toEqual(before);
  });
});

it('fails all concurrent look-ups if their statement fails, but not later ones', async () => {
  await database.dataSource.query('ALTER TABLE users RENAME TO elsewhere');
  const failed = await Promise.allSettled([records.find('ada'), records.find('ben')]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await database.dataSource.query('ALTER TABLE elsewhere RENAME TO users');
  expect(await records.find('ada')).toEqual(ADA);
});
