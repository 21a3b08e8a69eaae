import { setTimeout as delay } from 'node:timers/promises';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, judgeStored, tally, Writers } from './writers';

const PAIRS = 100_000;

async function main(): Promise<void> {
  const times = rounds(50);
  const trial = new Trial(`the service is killed (SIGKILL) ${times} times under 16 writers`);
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  await fillDirectory(postgres.url, PAIRS);
  const writers = new Writers(service, 16, PAIRS, 5);
  for (let round = 0; round < times; round++) {
    await writers.nextSuccess();
    await delay(100 + Math.random() * 400);
    await service.end('SIGKILL');
    service.start();
    await service.until('/health/ready', 200);
  }
  await writers.nextSuccess();
  await writers.stop();
  trial.expect('acknowledged writes', writers.acknowledged.size > times, writers.acknowledged.size);
  trial.expect('connections broken by the kills', writers.broken.length > 0, writers.broken.length);
  await judgeStored(trial, postgres.url, writers);
  const faults = writers.replies.filter(({ status }) => status !== 200 && status !== 503);
  trial.expect('answers other than 200 and 503, all sent again', faults.length === 0, tally(writers.replies));
  trial.finish();
}

void main();
