import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { testDatabaseUrl } from '../setup/test-environment';
import { createDataSource, migrate } from '../support/whole-schema';
import { startTestService, type TestService } from '../support/test-service';
import { ask, assign, ASSIGNED } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { UserAdmin } from '../cli/user-admin';

const DOCUMENT = join(__dirname, '../../docs/run.md');
const JWT_SECRET = 'a secret for these tests, of more than 32 bytes';

/** Runs the statements that `docs/run.md` gives, with names of this test's own: roles belong to the whole server. */
describeOnServer('a database whose owner migrates, and a service that may only change rows', () => {
  const mark = randomBytes(6).toString('hex');
  const names = { owner: `owner_${mark}`, service: `service_${mark}`, database: `test_${mark}` };
  const [asAdministrator = '', onVersion14 = '', asOwner = ''] = [
    ...readFileSync(DOCUMENT, 'utf8').matchAll(/^```sql\n(.*?)^```/gms),
  ]
    .map(([, statements = '']) => statements)
    .map((statements) =>
      statements
        .replaceAll('directory_owner', names.owner)
        .replaceAll('directory_service', names.service)
        .replaceAll('DATABASE directory', `DATABASE ${names.database}`),
    );
  let tool: UserAdmin;

  function urlOf(user: keyof typeof names | undefined, database = names.database): string {
    const url = new URL(testDatabaseUrl() ?? '');
    if (user) url.username = names[user];
    url.pathname = `/${database}`;
    return url.href;
  }

  async function execute(url: string, statements: string): Promise<void> {
    const client = new Client(url);
    await client.connect();
    try {
      for (const statement of statements.split(/;\s*$/m)) if (statement.trim()) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  async function isVersion14(): Promise<boolean> {
    const client = new Client(urlOf(undefined));
    await client.connect();
    try {
      const { rows } = await client.query<{ major: number }>(
        `SELECT current_setting('server_version_num')::int / 10000 AS major`,
      );
      return rows[0]?.major === 14;
    } finally {
      await client.end();
    }
  }

  beforeAll(async () => {
    await execute(testDatabaseUrl() ?? '', asAdministrator);
    if (await isVersion14()) await execute(urlOf(undefined), onVersion14);
    await execute(urlOf('owner'), asOwner);
    tool = new UserAdmin({ JWT_SECRET });
  });
  afterAll(async () => {
    tool?.dispose();
    await execute(
      testDatabaseUrl() ?? '',
      `DROP DATABASE ${names.database} WITH (FORCE);\nDROP ROLE ${names.owner};\nDROP ROLE ${names.service};`,
    );
  });

  it('a migration by the service is refused, and says who must migrate', async () => {
    const dataSource = await createDataSource({ url: urlOf('service'), poolSize: 1 }).initialize();
    try {
      await expect(migrate(dataSource)).rejects.toThrow(
        /^The database could not be migrated: .*42501.* Let the owner of the tables run `user-admin migrate` first/,
      );
    } finally {
      await dataSource.destroy();
    }
  });

  it('the owner migrates by `user-admin migrate`, once', async () => {
    const environment = { DATABASE_URL: urlOf('owner') };
    const first = await tool.run(['migrate'], '', environment);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Migration: CreateTextFolding\d+\n/);
    expect(first.stdout).toMatch(/^Function: {2}assign_users\w*\n/m);
    expect(first.stdout).toMatch(/\nThe database is up to date\.\n$/);
    const second = await tool.run(['migrate'], '', environment);
    expect(second).toEqual({ exitCode: 0, stdout: 'Nothing is pending.\n', stderr: '' });
  });

  describe('the service', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService({ database: { url: urlOf('service'), poolSize: 4 } });
      await service.directory.user('ada', { type: 'administrator' });
      await service.directory.user('ben');
      await service.directory.workspace('atlas');
    });
    afterAll(() => service.close());

    it('changes rows and reads them', async () => {
      const token = service.tokenOf('ada');
      const answer = await assign(service, token, { userIds: ['ben'], workspaces: ['atlas'] });
      expect([answer.status, answer.text]).toEqual([200, ASSIGNED]);
      const journal = await ask(`${service.url}/api/journal`, { headers: { authorization: `Bearer ${token}` } });
      expect(journal.status).toBe(200);
    });

    it('cannot change a table', async () => {
      await expect(service.dataSource.query('ALTER TABLE users ADD another text')).rejects.toThrow('must be owner');
      await expect(service.dataSource.query('CREATE TABLE another (id text)')).rejects.toThrow('permission denied');
      await expect(service.dataSource.query('TRUNCATE users CASCADE')).rejects.toThrow('permission denied');
    });

    it('serves with the functions of an earlier release, and logs that it may not replace them', async () => {
      await execute(urlOf('owner'), `UPDATE sql_functions SET hash = 'another' WHERE name = 'are_known'`);
      expect(await migrate(service.dataSource)).toMatchObject({ denied: ['are_known'] });
      const refused = await tool.run(['migrate'], '', { DATABASE_URL: urlOf('service') });
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
      expect(refused.stderr).toBe(
        'user-admin: The functions are_known belong to another user. Nothing was changed; run this command as their owner.\n',
      );
      const mended = await tool.run(['migrate'], '', { DATABASE_URL: urlOf('owner') });
      expect(mended.stdout).toBe('Function:  are_known\nThe database is up to date.\n');
    });

    it('cannot make months of the journal', async () => {
      const last = `SELECT max(relid::regclass::text) FROM pg_partition_tree('journal_changes') WHERE relid::regclass::text !~ 'default'`;
      await execute(urlOf('owner'), `DO $$ BEGIN EXECUTE 'DROP TABLE ' || (${last}); END $$`);
      expect(await tool.run(['migrate'], '', { DATABASE_URL: urlOf('service') })).toEqual({
        exitCode: 1,
        stdout: '',
        stderr:
          'user-admin: The months of the journal belong to another user. Nothing was changed; run this command as their owner.\n',
      });
      expect(await tool.run(['migrate'], '', { DATABASE_URL: urlOf('owner') })).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
    });

    it('imports and exports with the command line', async () => {
      const environment = { DATABASE_URL: urlOf('service') };
      const imported = await tool.run(['directory', 'import', '-'], '{"user":{"id":"cyd"}}', environment);
      expect(imported).toMatchObject({ exitCode: 0, stderr: 'Imported 1 record. New: 1 user.\n' });
      const exported = await tool.run(['directory', 'export'], '', environment);
      expect(exported.stdout).toContain('{"user":{"id":"cyd",');
    });
  });
});
