import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/database/database';
import { openTestDatabase } from '../../src/testing/test-database';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { WorkersProcess } from './workers-process';

const CALLERS = 4;
/** Leaves room on two cores for a process that starts. */
const PAUSE_MS = 5;

describeOnServer('WORKERS=2', () => {
  let database: Database;
  let environment: Record<string, string>;
  let service: WorkersProcess;
  let url: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    environment = {
      WORKERS: '2',
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '2',
      JWT_SECRET: randomBytes(32).toString('hex'),
      SHUTDOWN_DRAIN_MS: '100',
    };
    service = WorkersProcess.start(environment);
    await eventually(() => Promise.resolve(expect(service.greetings()).toHaveLength(1)), 25_000);
    url = service.greetings()[0] ?? '';
  });
  afterAll(async () => {
    service.signal('SIGKILL');
    await service.ended;
    await database.close();
  });

  /** A connection of its own for each request, which any worker may take. */
  const call = () => ask(`${url}/health/ready`, { headers: { connection: 'close' } });
  const pids = () => new Set(service.logged('request').map(({ pid }) => pid));

  async function seeWorkers(are: (pids: Set<number>) => boolean): Promise<void> {
    await eventually(async () => {
      expect((await call()).status).toBe(200);
      expect(are(pids())).toBe(true);
    }, 20_000);
  }

  /** Callers that ask until they are told to end: every answer, and how many got none. */
  function load(): () => Promise<{ statuses: Set<number>; answered: number; cut: number }> {
    const told = { statuses: new Set<number>(), answered: 0, cut: 0 };
    let ends = false;
    const caller = async () => {
      while (!ends) {
        await call().then(
          ({ status }) => {
            told.statuses.add(status);
            told.answered += 1;
          },
          () => (told.cut += 1),
        );
        await delay(PAUSE_MS);
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, caller));
    return async () => {
      ends = true;
      await callers;
      return told;
    };
  }

  it('answers from two processes at one address, which is printed once', async () => {
    await seeWorkers((seen) => seen.size === 2);
    expect(service.greetings()).toHaveLength(1);
  });

  it('puts another in the place of one that is killed under load, and goes on meanwhile', async () => {
    await seeWorkers((seen) => seen.size === 2);
    const [victim] = pids();
    const end = load();
    process.kill(victim ?? NaN, 'SIGKILL');
    await eventually(() =>
      Promise.resolve(expect(service.logged('a worker ended: another takes its place')).toHaveLength(1)),
    );
    await seeWorkers((seen) => seen.size === 3);
    const { statuses, answered, cut } = await end();

    expect(service.logged('a worker ended: another takes its place')).toMatchObject([
      { worker: victim, signal: 'SIGKILL' },
    ]);
    expect([...statuses]).toEqual([200]);
    expect(answered).toBeGreaterThan(100);
    // What the one that was killed had in hand.
    expect(cut).toBeLessThanOrEqual(2 * CALLERS);
    expect(service.greetings()).toHaveLength(1);
  }, 60_000);

  it('ends, all of it and in good order, when it is told to', async () => {
    await seeWorkers((seen) => seen.size >= 2);
    const end = load();
    service.signal('SIGTERM');
    expect(await service.ended).toEqual([0, null]);
    const { statuses } = await end();

    // Ready, or about to stop, or not there any more; but never broken.
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    expect([...pids()].filter(isAlive)).toEqual([]);
  });

  it('ends at once, and says why, when its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const PORT = String((taken.address() as AddressInfo).port);
    const refused = WorkersProcess.start({ ...environment, PORT });
    expect(await refused.ended).toEqual([1, null]);
    expect(refused.lines.join('\n')).toContain('EADDRINUSE');
    taken.close();
  });

  it('ends at once, and says why, on the embedded database', async () => {
    const refused = WorkersProcess.start({ WORKERS: '2', DATABASE_URL: '' });
    expect(await refused.ended).toEqual([1, null]);
    expect(refused.lines.join('\n')).toContain('WORKERS must be 1 without DATABASE_URL');
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
