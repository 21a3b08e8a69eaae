import { Logger } from '@nestjs/common';
import type { OpenedDatabase } from '@user-administration/postgres';
import { withClient } from '../../packages/testing/src/with-client';
import { describeOnServer } from '../support/describe-on-server';
import { openTestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';
import { findWorkspaces } from './find-workspaces';

describeOnServer('a database whose owner may not create the extension pg_trgm', () => {
  let database: OpenedDatabase;
  let role: string;
  let service: TestService;

  beforeAll(async () => {
    database = await openTestDatabase({ empty: true });
    const url = new URL(database.url);
    role = `${url.pathname.slice(1)}_owner`;
    await withClient(database.url, async (client) => {
      await client.query(`CREATE ROLE ${role} LOGIN`);
      await client.query(`GRANT USAGE, CREATE ON SCHEMA public TO ${role}`);
    });
    url.username = role;
    service = await startTestService({ database: { url: url.href, poolSize: 4 } });
    await service.directory.workspace('Atlas');
    await service.dataSource.query(`UPDATE workspaces SET name = 'Borealis'`);
  });
  afterAll(async () => {
    await service?.close();
    await withClient(database.url, (client) => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
    await database.close();
  });

  const find = async (search: string) => (await findWorkspaces(service, search)).map(({ id }) => id);

  it('is searched for the beginnings of ids, whatever the case, and the log says once what to do', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    expect([await find('ATL'), await find('atlas'), await find('tla'), await find('borealis')]).toEqual([
      ['Atlas'],
      ['Atlas'],
      [],
      [],
    ]);
    const warnings = warn.mock.calls.map(([message]) => String(message)).filter((text) => text.includes('pg_trgm'));
    warn.mockRestore();
    expect(warnings).toEqual([expect.stringContaining('run CREATE EXTENSION pg_trgm before the first migration')]);
  });

  it('has an index for them', async () => {
    const plan = await service.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      return manager.query<object[]>(`EXPLAIN SELECT FROM workspaces WHERE searchable LIKE 'atl%'`);
    });
    expect(JSON.stringify(plan)).toContain('workspaces_search_prefix');
  });
});
