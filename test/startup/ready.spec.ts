import { ask } from '../support/ask';
import { ServiceProcess } from '../support/service-process';
import { useTestDatabase } from '../support/test-database';

const database = useTestDatabase({ empty: true });

// A proxy without health checks, such as nginx, sends requests as soon as the port is open.
it('a service serves the first request that it accepts', async () => {
  const service = await ServiceProcess.start({
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: String(database.poolSize),
  });
  const { status } = await ask(`${service.url}/health/ready`);
  expect([status, await service.stop()]).toEqual([200, 0]);
});
