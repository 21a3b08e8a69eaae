import { setTimeout as delay } from 'node:timers/promises';
import { createDataSource } from '../test/support/whole-schema';
import { DirectoryBuilder } from '../test/support/directory-builder';
import { judgeOutage, judgeWriters, readersDuring } from './outages';
import { pathOf } from '../test/support/postgres-tools';
import { PrivatePgbouncer } from '../test/support/private-pgbouncer';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { until } from './until';
import { fillDirectory, judgeStored, tally, Writers } from './writers';

const PAIRS = 100_000;
const BEHIND = 'SELECT 1 FROM pg_stat_replication WHERE replay_lsn < pg_current_wal_lsn()';

async function main(): Promise<void> {
  const times = rounds(3);
  const trial = new Trial(`A primary is demoted, and a pooler leads to a standby, ${times} times each`);
  const primary = await PrivatePostgres.running();
  await demote(trial, primary, times);
  if (pathOf('pgbouncer')) await leadToStandby(trial, primary, times);
  else process.stdout.write('  SKIPPED the pooler: pgbouncer is not installed\n');
  trial.finish();
}

async function demote(trial: Trial, postgres: PrivatePostgres, times: number): Promise<void> {
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  const { pid } = service;
  await fillDirectory(postgres.url, PAIRS);
  const writers = new Writers(service, 16, PAIRS, 5);
  for (let round = 0; round < times; round++) {
    await judgeOutage(trial, service, writers, {
      name: 'a demoted primary',
      begin: async () => {
        await postgres.stop();
        await postgres.demote();
      },
      end: () => postgres.promote(),
    });
  }
  await writers.stop();
  judgeWriters(trial, service, writers, pid);
  await judgeStored(trial, postgres.url, writers);
  await service.end('SIGTERM');
}

/** The connections to the pooler stay, and the standby does not know that an administrator was deactivated. */
async function leadToStandby(trial: Trial, primary: PrivatePostgres, times: number): Promise<void> {
  const standby = await primary.standby();
  await standby.start();
  const pooler = await PrivatePgbouncer.start(primary.port, 8);
  const service = await FaultyService.ready({
    DATABASE_URL: pooler.url(),
    DATABASE_PREPARED_STATEMENTS: 'false',
    DATABASE_POOL_SIZE: '5',
  });
  const dataSource = await createDataSource({ url: primary.url, poolSize: 1 }).initialize();
  const directory = new DirectoryBuilder(dataSource);
  for (let round = 0; round < times; round++) {
    const eve = `eve-${round}`;
    await directory.user(eve, { type: 'administrator' });
    await until('the standby catches up', async () => (await primary.execute(BEHIND)).length === 0);
    await standby.execute('SELECT pg_wal_replay_pause()');
    const token = service.tokenOf(eve);
    const before = await readersDuring(() => delay(500), service.url, token);
    trial.expect(
      'an administrator is served',
      before.every(({ status }) => status === 200),
      tally(before),
    );
    await primary.execute(`UPDATE users SET status = 'inactive' WHERE id = '${eve}'`);
    let noticed = NaN;
    const led = async () => {
      await pooler.leadTo(standby.port);
      noticed = await service.until('/health/ready', 503);
      await delay(3_000);
    };
    const replies = await readersDuring(led, service.url, token);
    const letIn = replies.filter(({ status }) => status === 200);
    trial.expect(
      'answers to a deactivated user, through a standby without the deactivation',
      letIn.length === 0,
      tally(replies),
    );
    const refused = replies.filter(({ status }) => status === 503);
    trial.expect(
      'refused without Retry-After',
      refused.every(({ headers }) => headers['retry-after']),
      refused.length,
    );
    trial.expect('not ready after, ms', noticed < 2_000, Math.round(noticed));
    await pooler.leadTo(primary.port);
    const recovery = await service.until('/health/ready', 200);
    trial.expect('ready after the pooler leads to the primary again, ms', recovery < 3_000, Math.round(recovery));
    const after = await readersDuring(() => delay(500), service.url, token);
    trial.expect(
      'answers to the deactivated user, through the primary',
      after.every(({ status }) => status === 401),
      tally(after),
    );
    await standby.execute('SELECT pg_wal_replay_resume()');
  }
  await dataSource.destroy();
  await service.end('SIGTERM');
}

void main();
