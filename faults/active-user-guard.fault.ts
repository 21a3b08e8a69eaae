import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
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

async function main(): Promise<void> {
  const times = rounds(4);
  const trial = new Trial(
    `Three sibling apps refuse deactivated users, while one of two service processes is killed (SIGKILL) ${times} times`,
  );
  const postgres = await PrivatePostgres.running();
  const services = await startServices(postgres.url);
  await fillDirectory(postgres.url, USERS);
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
  await Promise.all(services.map((service) => service.end('SIGKILL')));
  const killedAt = monotonicMs();
  await delay(SILENT_AFTER_MS + 2_000);
  const served = await Promise.all(siblings.map((sibling) => sibling.finish()));

  judge(trial, users, served, requests);
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
