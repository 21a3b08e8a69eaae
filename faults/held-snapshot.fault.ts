import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { createDataSource, migrate } from '../test/support/whole-schema';
import { PrivatePostgres } from '../test/support/private-postgres';
import { Trial } from './trial';
import { percentile } from './writers';

const SECONDS = 60;
const CHANGES_A_SECOND = 500;
const PAUSE_MS = 10;
const SEALED_WITHIN_MS = 20;

/** While a dump holds its snapshot, no dead row of the inbox can be removed. Sealing must not read them again. */
async function main(): Promise<void> {
  const trial = new Trial(
    `A dump holds its snapshot for ${SECONDS} seconds, beside ${CHANGES_A_SECOND} changes a second`,
  );
  const postgres = await PrivatePostgres.running();
  const dataSource = await createDataSource({ url: postgres.url, poolSize: 1 }).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  const [writer, sealer, dump] = await Promise.all([
    connect(postgres.url),
    connect(postgres.url),
    connect(postgres.url),
  ]);
  await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await dump.query('SELECT FROM users');

  const end = performance.now() + SECONDS * 1_000;
  const sealing: number[] = [];
  let changes = 0;
  const writing = (async () => {
    for (const began = performance.now(); performance.now() < end;) {
      const due = ((performance.now() - began) / 1_000) * CHANGES_A_SECOND;
      for (; changes < due; changes++) await writer.query(APPEND, [`user-${changes}`]);
      await delay(1);
    }
  })();
  while (performance.now() < end) {
    const began = performance.now();
    await sealer.query('SELECT seal_journal(false, NULL)');
    sealing.push(performance.now() - began);
    await delay(PAUSE_MS);
  }
  await writing;
  await sealer.query('SELECT seal_journal(false, NULL)');
  const { rows } = await dump.query<{ count: number }>('SELECT count(*)::integer FROM journal_changes');
  const { rows: sealed } = await sealer.query<{ count: number }>('SELECT count(*)::integer FROM journal_changes');

  const quarter = Math.floor(sealing.length / 4);
  const first = percentile(sealing.slice(0, quarter), 0.5);
  const last = percentile(sealing.slice(-quarter), 0.5);
  trial.expect('the dump sees nothing of it', rows[0]?.count === 0, `${rows[0]?.count} changes`);
  trial.expect('every change is sealed', sealed[0]?.count === changes, `${sealed[0]?.count} of ${changes}`);
  const times = `${first.toFixed(1)} ms, then ${last.toFixed(1)} ms`;
  trial.expect(
    `sealing takes as long at the end as at the beginning, and less than ${SEALED_WITHIN_MS} ms (medians)`,
    last < Math.min(2 * first, SEALED_WITHIN_MS),
    times,
  );
  await Promise.all([writer, sealer, dump].map((client) => client.end()));
  trial.finish();
}

const APPEND = `SELECT journal_append_changes('system', 'mill', NULL, NULL, NULL, NULL, ARRAY[
  ROW('user.status.changed', ARRAY[$1::text], NULL, '{"status": "active"}', '{"status": "inactive"}')::journal_new_change])`;

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}

void main();
