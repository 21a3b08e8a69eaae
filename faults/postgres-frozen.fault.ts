import { setTimeout as delay } from 'node:timers/promises';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, judgeStored, tally, Writers } from './writers';

const PAIRS = 50_000;
const FROZEN_MS = 10_000;

async function main(): Promise<void> {
  const times = rounds(3);
  const trial = new Trial(`PostgreSQL does not answer for ${FROZEN_MS / 1000} s, ${times} times, under 32 callers`);
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  await fillDirectory(postgres.url, PAIRS);
  const writers = new Writers(service, 32, PAIRS, 5);
  const recoveries: number[] = [];
  for (let round = 0; round < times; round++) {
    await writers.nextSuccess();
    await delay(500);
    postgres.freeze();
    await delay(FROZEN_MS);
    postgres.thaw();
    const thawed = performance.now();
    recoveries.push((await writers.nextSuccess()) - thawed);
  }
  await writers.stop();
  const slowest = Math.max(...writers.replies.map(({ ms }) => ms));
  const faults = writers.replies.filter(({ status }) => status !== 200 && status !== 503);
  trial.expect('answers', faults.length === 0, tally(writers.replies));
  trial.expect('requests without an answer', writers.broken.length === 0, writers.broken.length);
  trial.expect('slowest answer, ms', slowest < 8_000, Math.round(slowest));
  trial.expect(
    'first success after it answers again, ms, worst',
    Math.max(...recoveries) < 5_000,
    Math.round(Math.max(...recoveries)),
  );
  await judgeStored(trial, postgres.url, writers);
  trial.finish();
}

void main();
