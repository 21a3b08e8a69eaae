import { ask } from '../support/ask';
import { ServiceProcess } from '../support/service-process';
import { useTestDatabase } from '../support/test-database';

const database = useTestDatabase({ empty: true });

// A proxy without health checks, such as nginx, sends requests as soon as the port is open.
it('a service serves the first request that it accepts', async () => {
  let service: ServiceProcess;
  let status: number;
  let startMs: number;
  do {
    const began = performance.now();
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: String(database.poolSize),
    });
    startMs = performance.now() - began;
    ({ status } = await ask(`${service.url}/health/ready`));
    expect(await service.stop()).toBe(0);
    // It waits two seconds for the database, and not after a failure.
  } while (status === 503 && startMs > 2_000);
  expect(status).toBe(200);
});
