import { RequestsUnderWay } from '../../src/server/requests-under-way';
import { useTestService } from '../support/test-service';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { RawConnection } from '../support/raw-connection';

describeOnServer('requests that are pipelined on one connection', () => {
  const service = useTestService();

  beforeAll(async () => {
    await service.directory.workspace('atlas');
    await service.directory.user('ben');
  });

  function post(path: string, body: object): string {
    const text = JSON.stringify(body);
    const headers = [
      'Host: x',
      `Authorization: Bearer ${service.serviceToken()}`,
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
    ];
    return `POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${text}`;
  }

  it('are handled one after another, in their order', async () => {
    const holder = service.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT 1 FROM users WHERE id = 'ben' FOR UPDATE`);
    const assign = post('/api/users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    const mint = post('/api/users/status-tokens', { id: 'ben', status: 'inactive' });
    const open = new RawConnection(service.url).read().write(assign + mint);

    const requests = service.app.get(RequestsUnderWay);
    await eventually(async () => {
      expect(requests.count).toBe(2);
      const waiting: object[] = await service.dataSource.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      expect(waiting).toHaveLength(1);
    });
    // Minting waits for no lock: handled at once, it would be done by now.
    const minted: object[] = await service.dataSource.query(
      `SELECT 1 FROM journal_entries WHERE action = 'user.status_token.minted'`,
    );
    expect(minted).toEqual([]);
    expect(open.received).toBe('');

    await holder.rollbackTransaction();
    await holder.release();
    await eventually(() => {
      expect(open.received).toMatch(/successfully assigned[^]*"token":"/);
      return Promise.resolve();
    });
    open.reset();
  });

  it('are no longer handled once the connection has ended', async () => {
    const holder = service.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT 1 FROM users WHERE id = 'ben' FOR UPDATE`);
    const assign = post('/api/users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    const toggle = post('/api/users/manage-status', { id: 'ben', token: service.serviceToken() });
    const open = new RawConnection(service.url).write(assign + toggle);
    const requests = service.app.get(RequestsUnderWay);
    await eventually(() => expect(requests.count).toBe(2));
    open.reset();
    await eventually(() => expect(requests.count).toBe(0));

    await holder.rollbackTransaction();
    await holder.release();
    const [ben]: { status: string }[] = await service.dataSource.query(`SELECT status FROM users WHERE id = 'ben'`);
    expect(ben?.status).toBe('active');
  });
});
