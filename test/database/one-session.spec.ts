import { Cancellation } from '@user-administration/postgres';
import { openInMemory } from '../../packages/testing/src/temporary-database';
import { startTestService } from '../support/test-service';

// The kit, and a command line beside a service, reach such a database by its URL.
it('a statement whose caller has gone is not waited for by the only session that it runs in', async () => {
  const database = await openInMemory();
  const service = await startTestService({ database });
  const runner = service.dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    const [{ pid }] = (await runner.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    const gone = new AbortController();
    const rows = await service.app.get(Cancellation).during(pid, gone.signal, () => {
      gone.abort();
      return runner.query('SELECT 1 AS one') as Promise<unknown>;
    });
    expect(rows).toEqual([{ one: 1 }]);
    await runner.commitTransaction();
  } finally {
    await runner.release();
    await service.close();
    await database.close();
  }
});
