import { useTestService } from '../support/test-service';
import { assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';

describeOnServer('the bounds on statements, locks and pauses', () => {
  const service = useTestService({
    environment: {
      DATABASE_STATEMENT_TIMEOUT_MS: '800',
      DATABASE_LOCK_TIMEOUT_MS: '300',
      DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '900',
    },
  });

  beforeAll(async () => {
    await service.directory.workspace('atlas');
    await service.directory.user('ben');
  });

  it('apply to every connection', async () => {
    const [settings]: object[] = await service.dataSource.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
         current_setting('idle_in_transaction_session_timeout') AS pause`,
    );
    expect(settings).toEqual({ statement: '800ms', lock: '300ms', pause: '900ms' });
  });

  it('end a wait for a lock with 503, and nothing is changed', async () => {
    const before = await service.directory.state();
    const holder = service.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT id FROM users WHERE id = 'ben' FOR UPDATE`);
    const answer = await assign(service, service.serviceToken(), { userIds: ['ben'], workspaces: ['atlas'] });
    expect(`${answer.status} ${answer.headers.get('retry-after')}`).toBe('503 1');
    await holder.rollbackTransaction();
    await holder.release();
    expect(await service.directory.state()).toEqual(before);
  });

  it('end a statement that takes too long', async () => {
    await expect(service.dataSource.query('SELECT pg_sleep(5)')).rejects.toThrow('statement timeout');
  });
});
