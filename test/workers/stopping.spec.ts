import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { handmade, inSeconds } from '../support/forged-tokens';
import { useTestDatabase } from '../support/test-database';
import { Gate } from '../races/gate';
import { ServiceProcess } from '../support/service-process';
import { alone, isAlive, twoWorkersOn } from './two-workers';

/** Shorter than the time in which a drain of a minute would end. */
const SOON_MS = 30_000;

describeOnServer('a service with WORKERS=2', () => {
  const database = useTestDatabase();
  let environment: Record<string, string>;
  let started: ServiceProcess | undefined;

  beforeAll(() => {
    environment = twoWorkersOn(database);
  });
  afterEach(async () => {
    started?.signal('SIGKILL');
    await started?.end();
  });

  function start(environment: Record<string, string>): ServiceProcess {
    started = ServiceProcess.spawn(environment);
    return started;
  }

  async function serving(environment: Record<string, string>): Promise<ServiceProcess> {
    const told = start(environment);
    await told.eventually(() => expect(told.greetings()).toHaveLength(1));
    return told;
  }

  /** The processes that answer. */
  async function workersOf(told: ServiceProcess): Promise<number[]> {
    const pids = () => [...new Set(told.logged('request').map(({ pid }) => pid))];
    await told.eventually(async () => {
      await ask(`${told.url}/health/live`, alone());
      expect(pids()).toHaveLength(2);
    });
    return pids();
  }

  it('ends cleanly when a signal reaches a worker after the message of its supervisor, as from systemd', async () => {
    const told = await serving({ ...environment, SHUTDOWN_DRAIN_MS: '6000' });
    const ready = `${told.url}/health/ready`;
    told.signal('SIGTERM');
    const stopping = () => told.logged('request').find(({ status }) => status === 503)?.pid;
    await told.eventually(async () => {
      await ask(ready, alone());
      expect(stopping()).toBeDefined();
    });
    process.kill(stopping() ?? NaN, 'SIGTERM');
    expect(await told.end()).toEqual([0, null]);
  });

  it('ends cleanly when one signal reaches its supervisor twice, as from npm in a terminal', async () => {
    const told = await serving(environment);
    told.signal('SIGINT');
    told.signal('SIGTERM');
    expect(await told.end()).toEqual([0, null]);
  });

  it('ends at once, with the reason, if its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const PORT = String((taken.address() as AddressInfo).port);
    const refused = start({ ...environment, PORT });
    const ended = await refused.end().finally(() => taken.close());
    expect(ended).toEqual([1, null]);
    expect(refused.lines.join('\n')).toContain('EADDRINUSE');
  });

  it('ends at once, with the reason, on the embedded database', async () => {
    const refused = start({ WORKERS: '2', DATABASE_URL: '' });
    expect(await refused.end()).toEqual([1, null]);
    expect(refused.lines.join('\n')).toContain('WORKERS must be 1 without DATABASE_URL');
  });

  it('kills a worker that does not end, and reports that', async () => {
    const told = await serving(environment);
    const [stuck = NaN] = await workersOf(told);
    process.kill(stuck, 'SIGSTOP');
    try {
      told.signal('SIGTERM');
      expect(await told.end()).toEqual([1, null]);
      expect(isAlive(stuck)).toBe(false);
    } finally {
      told.signal('SIGKILL');
      // Not if it has ended, as it should have.
      if (isAlive(stuck)) process.kill(stuck, 'SIGKILL');
    }
  });

  it('kills all workers at a second signal', async () => {
    const told = await serving({ ...environment, SHUTDOWN_DRAIN_MS: '60000' });
    told.signal('SIGTERM');
    const late = delay(SOON_MS, 'not soon', { ref: false });
    const again = setInterval(() => told.signal('SIGTERM'), 100);
    try {
      expect(await Promise.race([told.end(), late])).toEqual([1, null]);
    } finally {
      clearInterval(again);
    }
  });

  it('reports that a worker ended before it had answered', async () => {
    const told = await serving(environment);
    const gate = await Gate.close(database.url, 'LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE', []);
    try {
      const token = handmade(environment.JWT_SECRET ?? '', {
        sub: 'robot',
        scope: 'users:administer',
        exp: inSeconds(300),
      });
      const cut = expect(
        post(`${told.url}/api/workspaces`, { name: 'Atlas' }, { authorization: `Bearer ${token}` }),
      ).rejects.toThrow();
      await gate.waitFor(1);
      told.signal('SIGTERM');
      expect(await told.end()).toEqual([1, null]);
      await cut;
    } finally {
      await gate.open();
    }
  });
});
