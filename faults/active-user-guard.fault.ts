import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { UserAdministrationClient } from '../client/src/index.ts';
import { Balancer } from './balancer';
import { ChangingUsers } from './changing-users';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { monotonicMs, type Served, SiblingProcess } from './sibling-process';
import { rounds, Trial } from './trial';
import { until } from './until';
import { fillDirectory, percentile } from './writers';

const REQUESTS = 1_000_000;
/** Ends what hangs. */
const REQUESTS_WITHIN_MS = 1_800_000;
const LATE_MS = 250;
const SILENT_AFTER_MS = 5_000;
const USERS = 24;
/** So many users change at once, so many with each request. */
const CROWD = 100_000;
const EACH = 10_000;
const LATE_BEHIND_CROWD_MS = 1_000;

async function main(): Promise<void> {
  const times = rounds(4);
  const trial = new Trial(
    `Three sibling apps refuse deactivated users, while one of two service processes is killed (SIGKILL) ${times} times`,
  );
  const postgres = await PrivatePostgres.running();
  const services = await startServices(postgres.url);
  await fillDirectory(postgres.url, USERS);
  await addCrowd(postgres.url);
  const [{ token }] = services;
  const users = new ChangingUsers(
    services.map(({ url }) => url),
    token,
    USERS,
  );
  const balancer = await Balancer.over(services.map(({ port }) => port));
  const options = { baseUrl: balancer.url, token, users: users.ids };
  const siblings = await Promise.all(
    (['refuse', 'refuse', 'ask'] as const).map((whenSilent) => SiblingProcess.start({ ...options, whenSilent })),
  );

  for (let round = 0; round < times; round++) {
    await delay(2_000 + Math.random() * 2_000);
    const service = services[round % 2] as FaultyService;
    await service.end('SIGKILL');
    await delay(1_000);
    balancer.setReady(service.port, false);
    service.start();
    await service.until('/health/ready', 200);
    balancer.setReady(service.port, true);
  }
  const enough = async () => (await handled(siblings)) >= REQUESTS;
  await until(`${REQUESTS} requests`, enough, { pauseMs: 500, patienceMs: REQUESTS_WITHIN_MS });
  await users.stop();
  // Now everyone is active, and soon let in everywhere.
  await delay(1_000);
  const requests = await handled(siblings);
  const behind = await deactivateBehindCrowd(services[0].url, token, users.ids);
  await Promise.all(services.map((service) => service.end('SIGKILL')));
  const killedAt = monotonicMs();
  await delay(SILENT_AFTER_MS + 2_000);
  const served = await Promise.all(siblings.map((sibling) => sibling.finish()));

  judge(trial, users, served, requests);
  judgeBehindCrowd(trial, behind, served, killedAt);
  const stalls = served.map(({ stallMs }) => Math.round(stallMs));
  trial.expect('longest stalls of the event loops of the apps, ms', true, stalls.join(', '));
  const inSilence = served.flatMap(({ times: entered }) =>
    [...entered].filter((at) => at > killedAt + SILENT_AFTER_MS),
  );
  const longest = Math.max(...served.map(({ times: moments }) => moments.at(-1) as number)) - killedAt;
  trial.expect(
    `admitted later than ${SILENT_AFTER_MS} ms after both processes were killed`,
    inSilence.length === 0 && longest > 0,
    `${inSilence.length} (the last one after ${Math.round(longest)} ms)`,
  );
  trial.finish();
}

async function startServices(databaseUrl: string): Promise<[FaultyService, FaultyService]> {
  const environment = { DATABASE_URL: databaseUrl, JWT_SECRET: randomBytes(32).toString('hex') };
  return [await FaultyService.ready(environment), await FaultyService.ready(environment)];
}

async function addCrowd(databaseUrl: string): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query(`INSERT INTO users (id) SELECT 'crowd-' || n FROM generate_series(0, ${CROWD - 1}) AS n`);
  await client.end();
}

/** By {@link monotonicMs}: when the crowd began to change, and when each watched user's deactivation was answered. */
interface BehindCrowd {
  begunAt: number;
  deactivatedAt: number[];
}

/** Assigns the crowd at once, and deactivates the watched users one after the other meanwhile and afterwards. */
async function deactivateBehindCrowd(baseUrl: string, token: string, ids: string[]): Promise<BehindCrowd> {
  const client = new UserAdministrationClient({ baseUrl, token, timeoutMs: REQUESTS_WITHIN_MS });
  const begunAt = monotonicMs();
  const crowd = Array.from({ length: CROWD / EACH }, (_, part) =>
    client.users.assignWorkspaces({
      userIds: Array.from({ length: EACH }, (_, index) => `crowd-${part * EACH + index}`),
      workspaces: ['w1'],
    }),
  );
  const deactivatedAt: number[] = [];
  const deactivate = async (some: string[]) => {
    for (const id of some) {
      await client.users.assignStatus({ userIds: [id], status: 'inactive' });
      deactivatedAt.push(monotonicMs());
    }
  };
  await deactivate(ids.slice(0, ids.length / 2));
  await Promise.all(crowd);
  await deactivate(ids.slice(ids.length / 2));
  await delay(2 * LATE_BEHIND_CROWD_MS);
  return { begunAt, deactivatedAt };
}

function judgeBehindCrowd(trial: Trial, behind: BehindCrowd, served: Served[], killedAt: number): void {
  const { begunAt, deactivatedAt } = behind;
  const latest = served.flatMap(({ users, times }) =>
    [...times].map((time, at) => time - (deactivatedAt[users[at] as number] as number)),
  );
  const worst = latest.reduce((most, ms) => Math.max(most, ms), 0);
  trial.expect(
    `admitted later than ${LATE_BEHIND_CROWD_MS} ms after a deactivation among ${CROWD} changes, worst ms`,
    worst <= LATE_BEHIND_CROWD_MS,
    worst.toFixed(1),
  );
  const unknown = served.flatMap((each) => [...each.unknown].filter((at) => begunAt < at && at < killedAt)).length;
  trial.expect('answered that it is unknown meanwhile', unknown === 0, unknown);
}

async function handled(siblings: SiblingProcess[]): Promise<number> {
  return (await Promise.all(siblings.map((sibling) => sibling.handled()))).reduce((sum, count) => sum + count, 0);
}

function judge(trial: Trial, users: ChangingUsers, served: Served[], requests: number): void {
  const sum = (count: (of: Served) => number) => served.reduce((total, each) => total + count(each), 0);
  const late = served.flatMap((each) => users.latenesses(each));
  const tooLate = late.filter((ms) => ms > LATE_MS).length;
  const worst = late.reduce((most, ms) => Math.max(most, ms), 0);
  trial.expect('requests, before both processes were killed', requests >= REQUESTS, requests);
  trial.expect(
    'requests over HTTP',
    true,
    sum(({ overHttp }) => overHttp),
  );
  trial.expect(
    'refused, because the user was inactive',
    sum(({ refused }) => refused) > 0,
    sum(({ refused }) => refused),
  );
  trial.expect('deactivations', users.deactivations > USERS, users.deactivations);
  trial.expect(`admitted later than ${LATE_MS} ms after the answer to the deactivation`, tooLate === 0, tooLate);
  trial.expect(
    'admitted after the answer at all, and how late, ms',
    true,
    `${late.length} (median ${percentile(late, 0.5).toFixed(1)}, p99 ${percentile(late, 0.99).toFixed(1)}, worst ${worst.toFixed(1)})`,
  );
}

void main();
