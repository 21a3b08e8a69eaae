import { ConnectionPools, ConnectionSlots } from '@user-administration/postgres';
import { useTestService } from '../support/test-service';
import { Expiry } from '../../src/expiry/expiry';
import { Sealer } from '../../src/journal/sealer';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { withClient } from '../../packages/testing/src/with-client';
import { type Answer, ask, assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';

const QUEUE = 5;

const service = useTestService({
  environment: { DATABASE_QUEUE_SIZE: String(QUEUE), DATABASE_QUEUE_TIMEOUT_MS: '5000' },
});

beforeAll(async () => {
  await service.directory.workspace('atlas');
  await service.directory.user('ben');
  // They look for work by their own clocks, and would take a place in the queue.
  await service.app.get(DeliveryWorker).beforeApplicationShutdown();
  await service.app.get(Sealer).beforeApplicationShutdown();
  await service.app.get(Expiry).beforeApplicationShutdown();
  // The first call of a service writes its subject down beside the request, which would take a place, too.
  await ask(`${service.url}/api/me`, { headers: { authorization: `Bearer ${service.serviceToken()}` } });
  await eventually(async () => expect(await service.dataSource.query('SELECT FROM calling_services')).toHaveLength(1));
});

async function metric(name: string): Promise<number> {
  const { text } = await ask(`${service.url}/metrics`);
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}
const refusals = () => metric('database_connection_refusals_total');

/** The units of work that wait in the pools, or for a slot of their caller. */
const waitingNow = () => service.app.get(ConnectionPools).use.waiting + service.app.get(ConnectionSlots).waiting;

const write = () => assign(service, service.serviceToken(), { userIds: ['ben'], workspaces: ['atlas'] });

describe('when every connection is in use', () => {
  it('requests wait up to a limit, more are refused at once, health checks are answered, and all works afterwards', async () => {
    await eventually(async () => expect((await ask(`${service.url}/health/ready`)).status).toBe(200));
    const size = service.config.databasePoolSize;
    const holders = Array.from({ length: size }, () => service.dataSource.createQueryRunner());
    for (const holder of holders) await holder.connect();

    const waiting: Promise<Answer>[] = [];
    while (waiting.length < QUEUE) {
      waiting.push(write());
      // One after the other: callers that are looked up at the same time share a statement.
      await eventually(() => expect(waitingNow()).toBe(waiting.length));
    }
    const began = performance.now();
    const refused = await write();
    expect(performance.now() - began).toBeLessThan(4_900);
    expect(`${refused.status} ${refused.headers.get('retry-after')}`).toBe('503 1');
    expect((await ask(`${service.url}/health/live`)).status).toBe(200);
    expect((await ask(`${service.url}/health/ready`)).status).toBe(200);
    expect(await refusals()).toBe(1);

    await holders[0]?.release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array<number>(QUEUE).fill(200));
    for (const holder of holders.slice(1)) await holder.release();
  });

  it('no unit of work waits longer than the limit, and those that time out are counted', async () => {
    const before = await refusals();
    const holders = Array.from({ length: service.config.databasePoolSize }, () =>
      service.dataSource.createQueryRunner(),
    );
    for (const holder of holders) await holder.connect();
    const began = performance.now();
    expect((await write()).status).toBe(503);
    expect(performance.now() - began).toBeGreaterThan(4_900);
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(await refusals()).toBe(before + 1);
    for (const holder of holders) await holder.release();
  });
});

// The embedded database has one session, which the lock would have.
describeOnServer('while requests of one caller wait for a lock, and more of them wait than the queue holds', () => {
  it('requests of another caller are answered', async () => {
    const { app, config, url } = service;
    await service.directory.user('zoe', { type: 'administrator' });
    const read = () => ask(`${url}/api/users/ben`, { headers: { authorization: `Bearer ${service.tokenOf('zoe')}` } });
    await withClient(String(config.databaseUrl), async (locker) => {
      await locker.query('BEGIN');
      await locker.query("SELECT FROM users WHERE id = 'ben' FOR UPDATE");
      const crowd = Array.from({ length: config.databasePoolSize + QUEUE + 20 }, write);
      await eventually(() => expect(app.get(ConnectionSlots).waiting).toBe(QUEUE));

      const others = await Promise.all([read(), read(), read()]);
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
      await locker.query('COMMIT');
      const statuses = (await Promise.all(crowd)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(config.databasePoolSize - 1);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
    });
  });
});

// The embedded database has one session, which the holder would have.
describeOnServer('when units of work hold every connection', () => {
  it('callers are still authorized or refused, and the journal is sealed', async () => {
    await service.directory.user('dee', { status: 'inactive' });
    const holders = Array.from({ length: service.config.databasePoolSize }, () =>
      service.dataSource.createQueryRunner(),
    );
    for (const holder of holders) await holder.connect();
    expect((await assign(service, service.tokenOf('ben'), {})).status).toBe(403);
    expect((await assign(service, service.tokenOf('dee'), {})).status).toBe(401);
    expect((await assign(service, service.serviceToken(), {})).status).toBe(400);
    expect((await service.app.get(Sealer).seal()).position).toBeGreaterThan(0);
    for (const holder of holders) await holder.release();
  });
});
