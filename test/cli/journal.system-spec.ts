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
