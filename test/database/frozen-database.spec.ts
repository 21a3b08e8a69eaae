import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseClient, DatabaseServers } from '@user-administration/postgres';
import { startTestService, type TestService } from '../support/test-service';
import { type Answer, ask, assign } from '../support/ask';
import { eventually } from '../support/eventually';
import { SeverableDatabase } from '../support/severable-database';

let database: SeverableDatabase;
let service: TestService;

beforeAll(async () => {
  database = await SeverableDatabase.open();
  service = await startTestService({ database: database.address });
  await service.directory.workspace('atlas');
  await service.directory.user('ada', { type: 'administrator' });
  await service.directory.user('ben');
});
afterAll(async () => {
  await service?.close();
  await database?.close();
});

const write = (): Promise<Answer> =>
  assign(service, service.tokenOf('ada'), { userIds: ['ben'], workspaces: ['atlas'] });

describe('a database that stops answering', () => {
  it('delays requests only briefly, and is used again when it answers again', async () => {
    expect((await write()).status).toBe(200);
    database.freeze();
    const frozen = performance.now();
    const answers: { status: number; retryAfter: string | null; ms: number }[] = [];
    const callers = Array.from({ length: 30 }, async () => {
      while (performance.now() - frozen < 7_000) {
        const began = performance.now();
        const { status, headers } = await write();
        answers.push({ status, retryAfter: headers.get('retry-after'), ms: performance.now() - began });
        await delay(100);
      }
    });
    await Promise.all(callers);
    expect(answers.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
    // Eight seconds at most where the machine has nothing else to do.
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(30_000);
    expect((await ask(`${service.url}/health/ready`)).status).toBe(503);
    // Once it is known, no caller waits for a time-out of the database.
    const began = performance.now();
    await write();
    expect(performance.now() - began).toBeLessThan(4_000);

    database.thaw();
    await eventually(async () => expect((await write()).status).toBe(200));
    await eventually(async () => expect((await ask(`${service.url}/health/ready`)).status).toBe(200));
  });
});

describe('a server that takes connections and says nothing', () => {
  it('is given up after the connect_timeout of the URL, in seconds, which has precedence', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const url = `postgres://u@127.0.0.1:${port}/d?connect_timeout=1`;
    const client = new DatabaseClient({ servers: new DatabaseServers({ url }), url, connectMs: 3_600_000 });
    await expect(client.connect()).rejects.toThrow('no connection to the database');
    silent.close();
  });
});
