import { openTestDatabase } from '../support/test-database';
import type { OpenedDatabase } from '@user-administration/postgres';
import { describeWithFullDisk, FULL } from '../support/full-disk';
import { UserAdmin } from './user-admin';

describeWithFullDisk('a command whose output goes to a full disk prints one message and fails', () => {
  let database: OpenedDatabase;
  let tool: UserAdmin;

  beforeAll(async () => {
    database = await openTestDatabase();
    tool = new UserAdmin({ DATABASE_URL: database.url, JWT_SECRET: 'a secret for these tests, of more than 32 bytes' });
    await tool.run(['directory', 'import', '-'], '{"user":{"id":"ada"}}');
  });
  afterAll(async () => {
    tool.dispose();
    await database.close();
  });

  it.each([
    ['an export', ['directory', 'export']],
    ['a token', ['token', '--sub', 'ada']],
    ['the point of a journal', ['journal', 'verify']],
    ['the usage', ['help']],
  ])('%s', async (_, args) => {
    await expect(tool.runInto(FULL, args)).resolves.toEqual({
      exitCode: 1,
      stderr: 'user-admin: Cannot write the output: ENOSPC: no space left on device, write.\n',
    });
  });
});
