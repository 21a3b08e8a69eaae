import { readdirSync } from 'node:fs';
import { createDataSource, migrate } from '../support/whole-schema';
import type { OpenedDatabase } from '@user-administration/postgres';
import { openTestDatabase } from '../support/test-database';
import { UserAdmin } from './user-admin';

describe('user-admin migrate', () => {
  let database: OpenedDatabase;
  let tool: UserAdmin;

  beforeEach(async () => {
    database = await openTestDatabase({ empty: true });
    // Whoever owns the tables has no key of the service.
    tool = new UserAdmin({ NODE_ENV: 'production', DATABASE_URL: database.url });
  });
  afterEach(async () => {
    tool.dispose();
    await database.close();
  });

  it('needs only DATABASE_URL, and prints only what it did', async () => {
    const { exitCode, stdout, stderr } = await tool.run(['migrate']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^(Migration: \w+\n)+(Function: {2}\w+\n)+The database is up to date\.\n$/);
    expect(await tool.run(['migrate'], '', { NODE_ENV: '' })).toEqual({
      exitCode: 0,
      stdout: 'Nothing is pending.\n',
      stderr: '',
    });
    expect(readdirSync(tool.folder)).toEqual([]);

    const dataSource = await createDataSource(database).initialize();
    expect(await migrate(dataSource)).toMatchObject({ migrations: [], functions: [] });
    await dataSource.destroy();
  });

  it('reports what is wrong with DATABASE_URL', async () => {
    expect(await tool.run(['migrate'], '', { DATABASE_URL: '' })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'user-admin: The configuration has problems:\n  - DATABASE_URL must be set in production.\n',
    });
  });
});
