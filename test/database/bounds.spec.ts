import { useTestService } from '../support/test-service';
import { Gate } from '../races/gate';
import { assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';

describeOnServer('the bounds on statements, locks and pauses', () => {
  const service = useTestService({
    environment: {
      DATABASE_STATEMENT_TIMEOUT_MS: '3000',
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
    expect(settings).toEqual({ statement: '3s', lock: '300ms', pause: '900ms' });
  });

  it('end a wait for a lock with 503, and nothing is changed', async () => {
    const before = await service.directory.state();
    // A session without these bounds.
    const gate = await Gate.close(
      service.config.databaseUrl ?? '',
      `SELECT FROM users WHERE id = 'ben' FOR UPDATE`,
      [],
    );
    const answer = await assign(service, service.serviceToken(), { userIds: ['ben'], workspaces: ['atlas'] });
    expect(`${answer.status} ${answer.headers.get('retry-after')}`).toBe('503 1');
    await gate.open();
    expect(await service.directory.state()).toEqual(before);
  });

  it('end a statement that takes too long', async () => {
    await expect(service.dataSource.query('SELECT pg_sleep(60)')).rejects.toThrow('statement timeout');
  });
});
