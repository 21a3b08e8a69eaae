import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenedDatabase } from '../../src/database/open-database';
import { openTestDatabase } from '../support/test-database';
import { withClient } from '../../src/testing/with-client';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { ServiceProcess } from '../support/service-process';
import { alone, isAlive, twoWorkersOn } from './two-workers';

const CALLERS = 4;
/** Leaves room on two cores for a process that starts. */
const PAUSE_MS = 5;

describeOnServer('WORKERS=2', () => {
  let database: OpenedDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await openTestDatabase({ empty: true });
    service = ServiceProcess.spawn({
      ...twoWorkersOn(database),
      // Quoted, because the folder can have a space in its name.
      NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'missing-node.cjs'))}`,
    });
    await service.eventually(() => expect(service.greetings()).toHaveLength(1));
  });
  afterAll(async () => {
    service.signal('SIGKILL');
    await service.end();
    await database.close();
  });

  const call = () => ask(`${service.url}/health/ready`, alone());
  const pids = () => new Set(service.logged('request').map(({ pid }) => pid));

  async function metrics(requestId: string = randomUUID()): Promise<string> {
    const answer = await ask(`${service.url}/metrics`, alone({ 'x-request-id': requestId }));
    expect(answer.status).toBe(200);
    return answer.text;
  }

  function countOf(text: string): number {
    const line = /^http_request_duration_seconds_count\{method="GET",route="\/health\/ready",status="200"\} (\d+)$/m;
    return Number(line.exec(text)?.[1]);
  }

  /** Once nothing more is on its way: a request is counted when its connection has told that the answer is out. */
  async function readiesCounted(): Promise<number> {
    let last = NaN;
    await service.eventually(async () => {
      const before = last;
      last = countOf(await metrics());
      expect(last).toBe(before);
    });
    return last;
  }

  async function seeWorkers(are: (pids: Set<number>) => boolean): Promise<void> {
    await service.eventually(async () => {
      expect((await call()).status).toBe(200);
      expect(are(pids())).toBe(true);
    });
  }

  /** Callers that ask while this is done, also if it fails: every status of an answer, and how many requests got none. */
  async function underLoad(
    act: () => Promise<void>,
  ): Promise<{ statuses: Set<number>; answered: number; cut: number }> {
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
    try {
      await act();
    } finally {
      ends = true;
      await callers;
    }
    return told;
  }

  it('answers from two processes at one address, and prints the address once', async () => {
    await seeWorkers((seen) => seen.size === 2);
    expect(service.greetings()).toHaveLength(1);
  });

  it('replaces a worker that is killed under load, and serves meanwhile', async () => {
    await seeWorkers((seen) => seen.size === 2);
    const [victim] = pids();
    const { statuses, answered, cut } = await underLoad(async () => {
      process.kill(victim ?? NaN, 'SIGKILL');
      await service.eventually(() => expect(service.logged('a worker ended and is replaced')).toHaveLength(1));
      await seeWorkers((seen) => seen.size === 3);
    });

    expect(service.logged('a worker ended and is replaced')).toMatchObject([{ worker: victim, signal: 'SIGKILL' }]);
    expect([...statuses]).toEqual([200]);
    expect(answered).toBeGreaterThan(100);
    // What the one that was killed had in hand.
    expect(cut).toBeLessThanOrEqual(2 * CALLERS);
    expect(service.greetings()).toHaveLength(1);
  });

  it('adds up the metrics of all workers, in every worker, but not what all of them read', async () => {
    await withClient(database.url, (client) =>
      client.query(`
        INSERT INTO webhook_subscriptions (id, url, events, secret) VALUES ('one', 'https://hooks.example', '{}', '');
        INSERT INTO webhook_deliveries (subscription_id, entry_id, moment, subject, state, next_attempt_at)
        VALUES ('one', 1, 1, 'ben', 'pending', now() + interval '1 day')`),
    );
    await seeWorkers((seen) => seen.size >= 2);
    const before = await readiesCounted();
    // At once, so that more than one worker takes some.
    const together = Array.from({ length: 8 });
    for (let round = 0; round < 5; round++) await Promise.all(together.map(call));
    await service.eventually(async () => expect(await readiesCounted()).toBe(before + 40));
    await service.eventually(async () => {
      const requestIds = together.map(() => randomUUID() as string);
      for (const text of await Promise.all(requestIds.map(metrics))) {
        expect(countOf(text)).toBe(before + 40);
        for (const one of ['database_ready', 'service_ready', 'webhook_deliveries_pending'])
          expect(text).toContain(`\n${one} 1\n`);
      }
      const asked = service.logged('request').filter(({ requestId }) => requestIds.includes(requestId ?? ''));
      expect(new Set(asked.map(({ pid }) => pid)).size).toBe(2);
    });
  });

  it('keeps counting what an ended worker has counted, but not what it had', async () => {
    const filesOf = (text: string) => /^process_max_fds (\d+)$/m.exec(text)?.[1];
    const files = filesOf(await metrics());
    const served = service.logged('request').map(({ pid }) => pid);
    const alive = [...pids()].filter(isAlive);
    const share = (pid: number) => served.filter((other) => other === pid).length;
    const [victim = NaN] = alive.toSorted((one, other) => share(other) - share(one));
    const before = await readiesCounted();
    const known = pids().size;
    process.kill(victim, 'SIGKILL');
    let calls = 0;
    await service.eventually(async () => {
      await call().then(() => (calls += 1));
      expect(pids().size).toBe(known + 1);
    });
    expect(await readiesCounted()).toBe(before + calls);
    await service.eventually(async () => expect(filesOf(await metrics())).toBe(files));
  });

  it('continues with the other workers while no process can be started, and replaces the lost one afterwards', async () => {
    const replaced = () => service.logged('a worker ended and is replaced');
    const before = replaced().length;
    const known = pids().size;
    const [victim = NaN] = [...pids()].filter(isAlive);
    service.signal('SIGUSR2');
    process.kill(victim, 'SIGKILL');
    await service.eventually(() => expect(replaced().length).toBeGreaterThanOrEqual(before + 2));
    expect((await call()).status).toBe(200);
    service.signal('SIGUSR2');
    await seeWorkers((seen) => seen.size === known + 1);

    expect(replaced().slice(before, before + 2)).toMatchObject([
      { worker: victim, signal: 'SIGKILL' },
      { code: null, signal: null, failure: 'spawn /nowhere/node ENOENT' },
    ]);
    const [first, second] = replaced()
      .slice(before)
      .map(({ pause }) => pause ?? NaN);
    expect(second).toBe(2 * Number(first));
  });

  it('answers 503 for metrics while the supervisor does not respond, and recovers', async () => {
    service.signal('SIGSTOP');
    const began = performance.now();
    const asked = ask(`${service.url}/metrics`, alone()).finally(() => service.signal('SIGCONT'));
    const { status, text, headers } = await asked;
    expect(performance.now() - began).toBeLessThan(20_000);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.parse(text)).toEqual({ status: 503, message: expect.any(String) as string });
    expect(await metrics()).toContain('\ndatabase_ready 1\n');
  });

  it('ends all its processes cleanly when it is stopped', async () => {
    await seeWorkers((seen) => seen.size >= 2);
    const { statuses } = await underLoad(async () => {
      service.signal('SIGTERM');
      expect(await service.end()).toEqual([0, null]);
    });

    // Ready, or about to stop, or not there any more; but never broken.
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    expect([...pids()].filter(isAlive)).toEqual([]);
  });
});
