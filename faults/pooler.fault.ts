import { setTimeout as delay } from 'node:timers/promises';
import { pathOf } from '../test/support/postgres-tools';
import { PrivatePgbouncer } from '../test/support/private-pgbouncer';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { audit, fillDirectory, isAnUnknownOutcome, tally, Writers } from './writers';

const PAIRS = 100_000;
const LOAD_MS = 5_000;
const SERVER_CONNECTIONS = 8;

async function main(): Promise<void> {
  const times = rounds(5);
  const trial = new Trial(`PgBouncer in transaction mode, under 16 writers, and restarted ${times} times`);
  if (!pathOf('pgbouncer')) {
    process.stdout.write('  SKIPPED: pgbouncer is not installed\n');
    return trial.finish();
  }
  const postgres = await PrivatePostgres.running();
  const keepsPrepared = PrivatePgbouncer.keepsPreparedStatements();
  await restart(trial, postgres, times);
  for (const prepares of [false, true]) await load(trial, postgres, prepares, keepsPrepared || !prepares);
  trial.finish();
}

/** Nothing but restarts of the pooler, which the service survives; a service that starts afterwards finds no lock in its way. */
async function restart(trial: Trial, postgres: PrivatePostgres, times: number): Promise<void> {
  const url = await postgres.database('restarts');
  const pooler = await PrivatePgbouncer.start(postgres.port, SERVER_CONNECTIONS);
  const service = await serviceBehind(pooler.url('restarts'), false);
  const { pid } = service;
  await fillDirectory(url, PAIRS);
  const writers = new Writers(service, 16, PAIRS, 5);
  const recoveries: number[] = [];
  for (let round = 0; round < times; round++) {
    await writers.nextSuccess();
    await delay(500);
    await pooler.stop();
    await delay(700);
    await pooler.start();
    const started = performance.now();
    recoveries.push((await writers.nextSuccess()) - started);
  }
  const another = await serviceBehind(pooler.url('restarts'), false);
  trial.expect('another service starts beside it', !another.exit, 'ready');
  await another.end('SIGTERM');
  await writers.nextSuccess();
  await writers.stop();
  const refused = writers.replies.filter(({ status }) => status === 503);
  const silent = refused.filter((reply) => !isAnUnknownOutcome(reply) && !reply.headers['retry-after']);
  const faults = writers.replies.filter(({ status }) => status !== 200 && status !== 503);
  const { lost, torn } = await audit(url, writers.acknowledged);
  trial.expect('restarts: answers', faults.length === 0 && refused.length > 0, tally(writers.replies));
  trial.expect('restarts: 503 without Retry-After, but for unknown outcomes', silent.length === 0, silent.length);
  trial.expect(
    'restarts: first success, ms, worst',
    Math.max(...recoveries) < 2_000,
    recoveries.map(Math.round).join(', '),
  );
  trial.expect('restarts: acknowledged writes lost', lost === 0, `${lost} of ${writers.acknowledged.size}`);
  trial.expect('restarts: writes torn', torn === 0, torn);
  trial.expect('restarts: the service was not restarted', !service.exit && service.pid === pid, `process ${pid}`);
  await service.end('SIGTERM');
  await pooler.stop();
}

/** @param isRight whether the pooler can do what the service is set to */
async function load(trial: Trial, postgres: PrivatePostgres, prepares: boolean, isRight: boolean): Promise<void> {
  const name = `prepared_${prepares}`;
  const url = await postgres.database(name);
  const pooler = await PrivatePgbouncer.start(postgres.port, SERVER_CONNECTIONS);
  const service = await serviceBehind(pooler.url(name), prepares);
  await fillDirectory(url, PAIRS);
  const writers = new Writers(service, 16, PAIRS);
  await delay(LOAD_MS);
  await writers.stop();
  const allowed = isRight ? [200] : [200, 503];
  const setting = `DATABASE_PREPARED_STATEMENTS=${prepares}${isRight ? '' : ', which this PgBouncer does not support'}`;
  trial.expect(
    `${setting}: answers`,
    writers.replies.every(({ status }) => allowed.includes(status)),
    tally(writers.replies),
  );
  trial.expect(`${setting}: broken connections`, writers.broken.length === 0, writers.broken.length);
  const { lost, torn } = await audit(url, writers.acknowledged);
  trial.expect(`${setting}: writes lost or torn`, lost + torn === 0, lost + torn);
  await service.end('SIGTERM');
  await pooler.stop();
}

function serviceBehind(url: string, prepares: boolean): Promise<FaultyService> {
  return FaultyService.ready({ DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: String(prepares) });
}

void main();
