import { ask } from '../support/ask';
import { ServiceProcess } from '../support/service-process';
import { useTestDatabase } from '../support/test-database';

const database = useTestDatabase({ empty: true });

// A proxy without health checks, such as nginx, sends requests as soon as the port is open.
it('a service serves the first request that it accepts', async () => {
  let service: ServiceProcess;
  let status: number;
  do {
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: String(database.poolSize),
    });
    ({ status } = await ask(`${service.url}/health/ready`));
    expect(await service.stop()).toBe(0);
    // After a failed attempt to reach the database, it does not wait for it any longer.
  } while (service.lines.some((line) => line.includes('trying again')));
  expect(status).toBe(200);
});
