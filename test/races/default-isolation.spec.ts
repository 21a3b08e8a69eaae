import { startTestService, type TestService } from '../support/test-service';
import { manageStatus } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { Gate } from './gate';

describeOnServer('a server whose default isolation level changes while the service runs', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
    await service.directory.user('ada', { type: 'administrator' });
    await service.directory.user('zoe', { type: 'administrator' });
    await service.directory.user('ben');
  });
  afterAll(() => service.close());

  const toggle = async (id: string) => {
    const token = service.serviceToken();
    return (await manageStatus(service, token, { id, token })).status;
  };

  it('changes no answer: an administrator remains', async () => {
    expect(await toggle('ben')).toBe(200);
    const [{ name }] = await service.dataSource.query<[{ name: string }]>('SELECT current_database() AS name');
    await service.dataSource.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    // As after a failover: every connection is a new one.
    await service.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await service.dataSource.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    await eventually(async () => expect(await toggle('ben')).toBe(200));

    const gate = await Gate.close(
      service.config.databaseUrl as string,
      'SELECT FROM administrator_guard FOR UPDATE',
      [],
    );
    const answers = [toggle('ada'), toggle('zoe')];
    await gate.waitFor(2).finally(() => gate.open());

    expect((await Promise.all(answers)).toSorted()).toEqual([200, 409]);
  });
});
