import { judgeOutage, judgeWriters, type Outage } from './outages';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, judgeStored, Writers } from './writers';

const PAIRS = 100_000;
const WRITES = 'SET default_transaction_read_only = off';
const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

async function main(): Promise<void> {
  const times = rounds(3);
  const trial = new Trial(`the database is made read-only in two ways, ${times} times each, under 16 writers`);
  const postgres = await PrivatePostgres.running();
  const outages: Outage[] = [
    {
      name: 'of new sessions, the others ended',
      begin: () =>
        postgres.execute(WRITES, 'ALTER DATABASE postgres SET default_transaction_read_only = on', END_OTHERS),
      end: () => postgres.execute(WRITES, 'ALTER DATABASE postgres RESET default_transaction_read_only'),
    },
    {
      name: 'of all sessions at once',
      begin: () =>
        postgres.execute(WRITES, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()'),
      end: () =>
        postgres.execute(WRITES, 'ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()'),
    },
  ];
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  const { pid } = service;
  await fillDirectory(postgres.url, PAIRS);
  const writers = new Writers(service, 16, PAIRS, 5);
  for (let round = 0; round < times; round++) {
    for (const outage of outages) await judgeOutage(trial, service, writers, outage);
  }
  await writers.stop();
  judgeWriters(trial, service, writers, pid);
  await judgeStored(trial, postgres.url, writers);
  trial.finish();
}

void main();
