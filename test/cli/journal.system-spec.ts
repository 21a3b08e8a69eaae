import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { openMigratedDatabase, type MigratedDatabase } from '../support/migrated-database';
import { promote } from '../journal/promote';
import { UserAdmin } from './user-admin';

describe('user-admin journal verify', () => {
  let database: MigratedDatabase;
  let dataSource: DataSource;
  let tool: UserAdmin;

  beforeAll(async () => {
    database = await openMigratedDatabase();
    dataSource = database.dataSource;
    tool = new UserAdmin({ DATABASE_URL: database.url });
    await promote(dataSource, ['ben']);
    await promote(dataSource, ['cyd', 'dee']);
  });
  afterAll(async () => {
    tool.dispose();
    await database.close();
  });

  it('reports that the journal is intact, and how many entries it has read', async () => {
    expect(await tool.run(['journal', 'verify'])).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^The journal is whole and reaches back to \S+Z\. Entries: 3; changes: 2; seals: 1\.\njournal-seal-1\.\d+\.[0-9a-f]{64}\n$/,
      ) as string,
      stderr: '',
    });
  });

  it('starts from a seal that was kept, given as a file or as text', async () => {
    const { stdout } = await tool.run(['journal', 'verify']);
    const kept = stdout.split('\n')[1] ?? '';
    writeFileSync(join(tool.folder, 'verified.txt'), stdout);
    await promote(dataSource, ['eve']);

    for (const since of [kept, 'verified.txt']) {
      const { exitCode, stdout: report } = await tool.run(['journal', 'verify', '--since', since]);
      expect(exitCode).toBe(0);
      expect(report).toMatch(/^The journal is whole since the kept seal\. Entries: 1; changes: 1; seals: 1\.\n/);
    }
  });

  it('says what is wrong with a seal', async () => {
    const { stdout } = await tool.run(['journal', 'verify']);
    writeFileSync(join(tool.folder, 'cut.txt'), stdout.slice(0, -10));
    writeFileSync(join(tool.folder, 'foreign.txt'), 'Dear diary');
    for (const [since, sentence] of [
      ['nowhere.txt', 'Cannot read nowhere.txt: there is no such file.'],
      ['.', 'Cannot read .: it is a folder.'],
      ['foreign.txt', 'foreign.txt contains no seal. Give the output of an earlier `user-admin journal verify`.'],
      ['cut.txt', 'The seal in cut.txt is truncated or altered. Give it as `user-admin journal verify` printed it.'],
      [
        'journal-seal-1.17.AAAA',
        'The seal is truncated or altered. Give it as `user-admin journal verify` printed it.',
      ],
    ]) {
      const outcome = await tool.run(['journal', 'verify', '--since', since ?? '']);
      expect(outcome).toEqual({ exitCode: 1, stdout: '', stderr: `user-admin: ${sentence}\n` });
    }
  });

  it('names the first place that is broken', async () => {
    await dataSource.query('ALTER TABLE journal_changes DISABLE TRIGGER USER');
    await dataSource.query(`UPDATE journal_changes SET actor_id = 'eve' WHERE user_id = 'cyd'`);

    expect(await tool.run(['journal', 'verify'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^user-admin: The journal is broken between the entries \d+ and \d+: the entries do not fit their seal\.\n$/,
      ) as string,
    });
  });
});

describe('user-admin journal prune', () => {
  let database: MigratedDatabase;
  let tool: UserAdmin;

  beforeAll(async () => {
    database = await openMigratedDatabase();
    tool = new UserAdmin({ DATABASE_URL: database.url });
    for (const month of [0, 1]) {
      await promote(database.dataSource, ['ben']);
      await database.dataSource.query('UPDATE journal_inbox SET at = $1', [new Date(Date.UTC(2020, month, 2))]);
      await database.dataSource.query('SELECT seal_journal(true, $1)', [month]);
    }
  });
  afterAll(async () => {
    tool.dispose();
    await database.close();
  });

  it('removes the months that end before a day', async () => {
    const prune = (before: string) => tool.run(['journal', 'prune', '--before', before]);
    const none = 'The journal has no entries of months that end before this day. Nothing was removed.\n';
    expect(await prune('2020-01-31')).toEqual({ exitCode: 0, stdout: none, stderr: '' });
    const first = 'The entries of 2020-01 were removed.\n';
    expect(await prune('2020-02-29')).toEqual({ exitCode: 0, stdout: first, stderr: '' });
    const { stdout } = await tool.run(['journal', 'verify']);
    expect(stdout).toMatch(/^The journal is whole and reaches back to \S+Z\. Entries: 1; changes: 1; seals: 2\.\n/);
    expect((await prune('2999-01-01')).stderr).toBe(
      'user-admin: Only months that have ended can be removed. Give a date that is not after the first of this month.\n',
    );
  });

  it.each([
    '2020-02-30',
    '2020-13-01',
    '2020-1-1',
    '20200201',
    'yesterday',
    '',
    '2020-02-01T00:00:00Z',
    '+12020-01-01',
  ])('refuses a day that is none: %j', async (before) => {
    const { exitCode, stdout, stderr } = await tool.run(['journal', 'prune', '--before', before]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Give a day as 2030-01-01.');
  });
});
