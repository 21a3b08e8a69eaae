import { RequestsUnderWay } from '@user-administration/http';
import { startTestService, type TestService } from '../support/test-service';
import { ask, type Answer } from '../support/ask';
import { SeverableDatabase } from '../support/severable-database';
import { eventually } from '../support/eventually';

let database: SeverableDatabase;
let service: TestService;

beforeAll(async () => {
  database = await SeverableDatabase.open();
  service = await startTestService({ database: database.address, environment: { SHUTDOWN_DRAIN_MS: '3000' } });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

const ready = (): Promise<Answer> => ask(`${service.url}/health/ready`);
const readyMetric = async () => /^service_ready (\d)$/m.exec((await ask(`${service.url}/metrics`)).text)?.[1];
const becomes = (status: number) => eventually(async () => expect((await ready()).status).toBe(status));

describe('GET /health/ready', () => {
  it('answers ready when the service can serve', async () => {
    await becomes(200);
    expect((await ready()).text).toBe('{"status":"ok"}');
    expect(await readyMetric()).toBe('1');
  });

  it('answers not ready while the database is away, but alive, and ready again without a restart', async () => {
    await database.cut();
    await becomes(503);
    const answer = await ready();
    expect(answer.text).toMatch(/^\{"status":503,"message":"[^"]+"\}$/);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await readyMetric()).toBe('0');
    expect((await ask(`${service.url}/health/live`)).text).toBe('{"status":"ok"}');
    await database.mend();
    await becomes(200);
  });

  it('answers not ready while the service is stopping, though it still serves', async () => {
    const drained = service.app.get(RequestsUnderWay).drain();
    expect((await ready()).status).toBe(503);
    expect(await readyMetric()).toBe('0');
    expect((await ask(`${service.url}/health/live`)).text).toBe('{"status":"ok"}');
    await drained;
    await expect(ready()).rejects.toThrow();
  });
});
