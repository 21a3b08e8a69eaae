import { setTimeout as delay } from 'node:timers/promises';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { until } from './until';
import { fillDirectory, isAnUnknownOutcome, judgeStored, tally, Writers } from './writers';

const PAIRS = 100_000;

async function main(): Promise<void> {
  const times = rounds(4);
  const trial = new Trial(
    `The primary is killed and its synchronous standby promoted, ${times} times, under 16 writers`,
  );
  let primary = await PrivatePostgres.running();
  let standby = await followedBy(primary);
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join();
  const service = await FaultyService.on({
    DATABASE_URL: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
  });
  service.start();
  const started = await service.until('/health/ready', 200);
  trial.expect('ready, though the standby is named first, ms', true, Math.round(started));
  const { pid } = service;
  await fillDirectory(primary.url, PAIRS);
  const writers = new Writers(service, 16, PAIRS, 5);
  const recoveries: number[] = [];
  for (let round = 0; round < times; round++) {
    await writers.nextSuccess();
    await delay(500);
    primary.kill();
    await delay(1_500);
    await standby.promote();
    const promoted = performance.now();
    recoveries.push((await writers.nextSuccess()) - promoted);
    const { port } = primary;
    primary.remove();
    primary = standby;
    standby = await followedBy(primary, port);
  }
  await writers.nextSuccess();
  await writers.stop();
  const refused = writers.replies.filter(({ status }) => status === 503);
  const faults = writers.replies.filter(({ status }) => status !== 200 && status !== 503);
  const unknown = refused.filter(isAnUnknownOutcome);
  trial.expect('answers', faults.length === 0 && refused.length > 0, tally(writers.replies));
  trial.expect('changes with an unknown outcome', unknown.length <= 16 * times, unknown.length);
  trial.expect(
    'other 503 without Retry-After',
    refused.every((reply) => isAnUnknownOutcome(reply) || reply.headers['retry-after']),
    refused.filter((reply) => !isAnUnknownOutcome(reply) && !reply.headers['retry-after']).length,
  );
  trial.expect(
    'first success after the promotion, ms, worst',
    Math.max(...recoveries) < 2_000,
    recoveries.map(Math.round).join(', '),
  );
  await judgeStored(trial, primary.url, writers);
  trial.expect('the service was not restarted', !service.exit && service.pid === pid, `process ${pid}`);
  trial.finish();
}

/** A standby without which the primary acknowledges nothing. */
async function followedBy(primary: PrivatePostgres, port?: number): Promise<PrivatePostgres> {
  const standby = await primary.standby(port);
  await standby.start();
  await primary.execute(`ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
  const SYNCHRONOUS = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
  await until('the standby follows', async () => (await primary.execute(SYNCHRONOUS)).length > 0);
  return standby;
}

void main();
