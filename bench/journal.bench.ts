import 'reflect-metadata';
import { Pool } from 'pg';
import { createDataSource } from '../src/database/data-source';
import { migrate } from '../src/database/migrate';
import { openTestDatabase } from '../test/support/test-database';

/**
 * What the chains of the journal cost, on the server that TEST_DATABASE_URL names:
 *
 *     TEST_DATABASE_URL=postgres://... node -r @swc-node/register bench/journal.bench.ts
 */
const WRITERS = 32;
const SECONDS = 5;

const CHANGES = `ARRAY[ROW(
  'user.workspaces.assigned', ARRAY(SELECT 'user-' || n FROM generate_series(1, $1::int) AS n), '{atlas,borealis}', NULL,
  '{"workspaces":["atlas","borealis"],"groups":[]}'
)::journal_new_change]`;
const appendWith = (append: string) => `SELECT ${append}('user', 'ada', NULL, NULL, 'request-1', ${CHANGES})`;

/** The same columns and indexes, without a hash, a chain and subjects. */
const PLAIN = `
  INSERT INTO plain_changes (
    moment, id, number, at, chain, entries, action, actor_kind, actor_id, request_id, user_id, user_ids, workspace_ids, before, after, hash
  )
  SELECT nextval('plain_moments'), 0, 0, clock_timestamp(), 0, $1::int, action, 'user', 'ada', 'request-1', user_ids[1], user_ids,
    workspace_ids, before, after, ''
  FROM unnest(${CHANGES})`;

async function prepare(pool: Pool): Promise<void> {
  await pool.query('CREATE SEQUENCE plain_moments');
  await pool.query('CREATE TABLE plain_changes (LIKE journal_changes INCLUDING ALL EXCLUDING IDENTITY)');
  const { rows } = await pool.query<{ text: string }>(
    `SELECT pg_get_functiondef('journal_append_changes'::regproc) AS text`,
  );
  const oneChain = rows[0]?.text
    .replace('journal_append_changes', 'journal_append_to_one')
    .replace(/pg_backend_pid\(\) % \d+/, '0')
    .replace('LIMIT 1 FOR UPDATE', 'WHERE false FOR UPDATE');
  await pool.query(oneChain ?? '');
}

/** Each writer appends again and again, each time in a transaction of its own. */
async function throughput(pool: Pool, statement: string, entries: number, writers: number): Promise<string> {
  const end = performance.now() + SECONDS * 1000;
  const times: number[] = [];
  const work = async () => {
    while (performance.now() < end) {
      const begin = performance.now();
      await pool.query(statement, [entries]);
      times.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
  times.sort((a, b) => a - b);
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;
  const rate = Math.round((times.length * entries) / SECONDS).toLocaleString('en');
  return `${rate} entries/s, median ${at(0.5)}, 99 of 100 within ${at(0.99)}`;
}

async function main(): Promise<void> {
  const database = await openTestDatabase();
  const dataSource = createDataSource({ url: database.url, poolSize: 1 });
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  const pool = new Pool({ connectionString: database.url, max: WRITERS });
  try {
    await prepare(pool);
    const kinds = {
      'no chain': PLAIN,
      '1 chain': appendWith('journal_append_to_one'),
      '64 chains': appendWith('journal_append_changes'),
    };
    const loads = [
      [1, 1],
      [1, WRITERS],
      [1_000, 1],
      [1_000, 8],
    ] as const;
    for (const [entries, writers] of loads) {
      for (const [kind, statement] of Object.entries(kinds)) {
        const result = await throughput(pool, statement, entries, writers);
        process.stdout.write(`${entries} a transaction, ${writers} writers, ${kind}: ${result}\n`);
      }
    }
  } finally {
    await pool.end();
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
