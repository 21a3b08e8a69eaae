import type { DataSource } from 'typeorm';
import { promote, openJournalDatabase, type JournalDatabase } from '../journal/journal-database';
import { UserAdmin } from './user-admin';

// Each call is a process.
jest.setTimeout(60_000);

describe('user-admin journal verify', () => {
  let database: JournalDatabase;
  let dataSource: DataSource;
  let tool: UserAdmin;

  beforeAll(async () => {
    database = await openJournalDatabase();
    dataSource = database.dataSource;
    tool = new UserAdmin({ DATABASE_URL: database.url });
    await promote(dataSource, ['ben']);
    await promote(dataSource, ['cyd', 'dee']);
  });
  afterAll(async () => {
    tool.dispose();
    await database.close();
  });

  it('says that a journal is whole, and how much it has read', async () => {
    expect(await tool.run(['journal', 'verify'])).toEqual({
      exitCode: 0,
      stdout: 'The journal is whole. Entries: 3; seals: 2; chains: 1.\n',
      stderr: '',
    });
  });

  it('names the first entry that is broken', async () => {
    await dataSource.query('ALTER TABLE journal_entries DISABLE TRIGGER USER');
    await dataSource.query(`UPDATE journal_entries SET user_id = 'eve' WHERE id > 1`);

    expect(await tool.run(['journal', 'verify'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'user-admin: Entry 2 is broken: it does not fit its hash.\n',
    });
  });
});
