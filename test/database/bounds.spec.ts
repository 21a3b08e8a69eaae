import { startTestService, type TestService } from '../../src/testing/start-service';
import { assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';

describeOnServer('the bounds on statements, locks and pauses', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({
      environment: {
        DATABASE_STATEMENT_TIMEOUT_MS: '800',
        DATABASE_LOCK_TIMEOUT_MS: '300',
        DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '900',
      },
    });
    await service.directory.workspace('atlas');
    await service.directory.user('ben');
  });
  afterAll(() => service.close());

  it('are those of every connection', async () => {
    const [settings]: object[] = await service.dataSource.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
         current_setting('idle_in_transaction_session_timeout') AS pause`,
    );
    expect(settings).toEqual({ statement: '800ms', lock: '300ms', pause: '900ms' });
  });

  it('do not bind a migration, and are back after it', async () => {
    const url = service.config.databaseUrl as string;
    const holder = service.dataSource.createQueryRunner();
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(7225108019)');
    const other = startTestService({
      database: { url, poolSize: 1 },
      environment: { DATABASE_LOCK_TIMEOUT_MS: '100', DATABASE_STATEMENT_TIMEOUT_MS: '100' },
    });
    await eventually(async () => {
      const waiting: object[] = await service.dataSource.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND now() - query_start > interval '400 ms'
           AND datname = current_database()`,
      );
      expect(waiting).toHaveLength(1);
    });
    await holder.query('SELECT pg_advisory_unlock(7225108019)');
    await holder.release();
    const migrated = await other;
    const settings: object[] = await migrated.dataSource.query(
      `SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement`,
    );
    expect(settings).toEqual([{ lock: '100ms', statement: '100ms' }]);
    await migrated.close();
  });

  it('end a wait for a row with 503, and nothing is done', async () => {
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

  it('end a statement', async () => {
    await expect(service.dataSource.query('SELECT pg_sleep(5)')).rejects.toThrow('statement timeout');
  });
});
