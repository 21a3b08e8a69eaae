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
        /^The journal is whole\. Entries: 3; changes: 2; chains: 1\.\njournal-point-1\.[\w-]+\n$/,
      ) as string,
      stderr: '',
    });
  });

  it('starts from a saved point, given as a file or as text', async () => {
    const { stdout } = await tool.run(['journal', 'verify']);
    const point = stdout.split('\n')[1] ?? '';
    writeFileSync(join(tool.folder, 'verified.txt'), stdout);
    await promote(dataSource, ['eve']);

    for (const since of [point, 'verified.txt']) {
      const { exitCode, stdout: report } = await tool.run(['journal', 'verify', '--since', since]);
      expect(exitCode).toBe(0);
      expect(report).toMatch(/^The journal is whole since the point\. Entries: 1; changes: 1; chains: \d\.\n/);
    }
  });

  it('says what is wrong with a point', async () => {
    const { stdout } = await tool.run(['journal', 'verify']);
    writeFileSync(join(tool.folder, 'cut.txt'), stdout.slice(0, -10));
    writeFileSync(join(tool.folder, 'foreign.txt'), 'Dear diary');
    for (const [since, sentence] of [
      ['nowhere.txt', 'Cannot read nowhere.txt: there is no such file.'],
      ['.', 'Cannot read .: it is a folder.'],
      ['foreign.txt', 'foreign.txt contains no point. Give the output of an earlier `user-admin journal verify`.'],
      ['cut.txt', 'The point in cut.txt is truncated or altered. Give it as `user-admin journal verify` printed it.'],
      ['journal-point-1.AAAA', 'The point is truncated or altered. Give it as `user-admin journal verify` printed it.'],
    ]) {
      const outcome = await tool.run(['journal', 'verify', '--since', since ?? '']);
      expect(outcome).toEqual({ exitCode: 1, stdout: '', stderr: `user-admin: ${sentence}\n` });
    }
  });

  it('names the first broken entry', async () => {
    await dataSource.query('ALTER TABLE journal_changes DISABLE TRIGGER USER');
    await dataSource.query(`UPDATE journal_changes SET actor_id = 'eve' WHERE id > 1024`);

    expect(await tool.run(['journal', 'verify'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'user-admin: The change with the entries 2048 to 2049 is broken: it does not fit its hash.\n',
    });
  });
});
