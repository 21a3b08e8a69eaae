import { setTimeout as delay } from 'node:timers/promises';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, isAnUnknownOutcome, judgeStored, percentile, tally, Writers } from './writers';

const PAIRS = 100_000;

async function main(): Promise<void> {
  const times = rounds(10);
  const trial = new Trial(`PostgreSQL is stopped ${times} times, and killed ${times} times, under 16 writers`);
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  const { pid } = service;
  await fillDirectory(postgres.url, PAIRS);
  const writers = new Writers(service, 16, PAIRS, 5);
  const recoveries: number[] = [];
  for (let round = 0; round < 2 * times; round++) {
    await writers.nextSuccess();
    await delay(300);
    if (round % 2 === 0) await postgres.stop();
    else postgres.kill();
    await delay(700);
    await postgres.start();
    const ready = performance.now();
    recoveries.push((await writers.nextSuccess()) - ready);
  }
  await writers.stop();
  const refused = writers.replies.filter(({ status }) => status === 503);
  const faults = writers.replies.filter(({ status }) => status !== 200 && status !== 503);
  const slowest = Math.max(...writers.replies.map(({ ms }) => ms));
  trial.expect('answers while it was away', refused.length > 0, tally(writers.replies));
  trial.expect('answers other than 200 and 503', faults.length === 0, faults.length);
  trial.expect(
    '503 without Retry-After, but for unknown outcomes',
    refused.every((reply) => isAnUnknownOutcome(reply) || reply.headers['retry-after']),
    refused.filter((reply) => !isAnUnknownOutcome(reply) && !reply.headers['retry-after']).length,
  );
  trial.expect('broken connections to the service', writers.broken.length === 0, writers.broken.length);
  trial.expect('slowest answer, ms', slowest < 8_000, Math.round(slowest));
  trial.expect(
    'first success after it was ready, ms, worst',
    Math.max(...recoveries) < 1_000,
    `${Math.round(Math.max(...recoveries))} (median ${Math.round(percentile(recoveries, 0.5))})`,
  );
  await judgeStored(trial, postgres.url, writers);
  trial.expect('the service was not restarted', !service.exit && service.pid === pid, `process ${pid}`);
  trial.finish();
}

void main();
