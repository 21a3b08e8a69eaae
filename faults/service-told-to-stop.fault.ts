import { setTimeout as delay } from 'node:timers/promises';
import { call } from './call';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, judgeStored, percentile, tally, Writers } from './writers';

const PAIRS = 100_000;

/** Asks for readiness until nobody listens any more; tells in which order it heard what. */
async function readinessUntilGone(service: FaultyService): Promise<number[]> {
  const heard: number[] = [];
  for (;;) {
    const reply = await call(`${service.url}/health/ready`).catch(() => undefined);
    if (!reply) return heard;
    if (heard.at(-1) !== reply.status) heard.push(reply.status);
    await delay(20);
  }
}

async function main(): Promise<void> {
  const times = rounds(20);
  const trial = new Trial(`the service is told to stop (SIGTERM) ${times} times under 16 writers`);
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  await fillDirectory(postgres.url, PAIRS);
  const writers = new Writers(service, 16, PAIRS, 2);
  const ends: number[] = [];
  const orders = new Set<string>();
  const exits = new Set<string>();
  for (let round = 0; round < times; round++) {
    await writers.nextSuccess();
    await delay(200 + Math.random() * 200);
    const heard = readinessUntilGone(service);
    await delay(100);
    ends.push(await service.end('SIGTERM'));
    orders.add((await heard).join(', then '));
    exits.add(`${service.exit?.code ?? service.exit?.signal}`);
    service.start();
    await service.until('/health/ready', 200);
  }
  await writers.nextSuccess();
  await writers.stop();
  // Refused before anything was sent, a load balancer asks another process.
  const dropped = writers.broken.filter(({ code }) => code !== 'ECONNREFUSED');
  const faults = writers.replies.filter(({ status }) => status !== 200 && status !== 503);
  trial.expect(
    'readiness, until nobody listened',
    [...orders].every((order) => order === '200, then 503'),
    [...orders].join(' | '),
  );
  trial.expect(
    'longest way out, ms',
    Math.max(...ends) < 5_000,
    `${Math.round(Math.max(...ends))} (median ${Math.round(percentile(ends, 0.5))})`,
  );
  trial.expect('exit code', [...exits].join() === '0', [...exits].join());
  trial.expect('requests dropped', dropped.length === 0, dropped.map(({ code }) => code).join(' ') || 0);
  trial.expect('answers', faults.length === 0, tally(writers.replies));
  await judgeStored(trial, postgres.url, writers);
  trial.finish();
}

void main();
