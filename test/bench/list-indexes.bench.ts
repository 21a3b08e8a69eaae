import 'reflect-metadata';
import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import type { BenchDatabase } from './bench-database';
import { ADMINISTRATORS, createBenchDirectory, GROUPS_PER_WORKSPACE } from './bench-directory';
import { cpuTimeOf } from './cpu-time';
import { spreadText } from './report';
import { ratios, spread } from './statistics';

/**
 * What the indexes of the lists cost when users change, and how many of these updates write no index (HOT), on the server that
 * DATABASE_URL names: databases with and without these indexes take turns. Measured is the CPU time of the database's process, or
 * the elapsed time if the server is on another machine. Nothing waits for the disk.
 *
 *     DATABASE_URL=postgres://... node -r @swc-node/register test/bench/list-indexes.bench.ts
 */
const USERS = 100_000;
const WORKSPACES = 1_000;
const ROUNDS = 30;
const CALLS = 300;

const INDEXES = ['users_search', 'users_created_at', 'users_type'].map((index) => [index, `DROP INDEX ${index}`]);
const REFERENCES = ['workspace_memberships', 'user_permissions'].map(
  (table) =>
    `ALTER TABLE ${table} ADD CONSTRAINT ${table}_user_fkey FOREIGN KEY (user_key) REFERENCES users (key) ON DELETE CASCADE`,
);
/** The primary key without the columns by which lists sort and test. */
const NARROW = [
  'ALTER TABLE users DROP CONSTRAINT users_pkey CASCADE',
  'ALTER TABLE users ADD PRIMARY KEY (key)',
  ...REFERENCES,
];
const WITHOUT: Record<string, readonly string[]> = {
  'with all': [],
  ...Object.fromEntries(INDEXES.map(([index = '', drop = '']) => [`without ${index}`, [drop]])),
  'with a narrow primary key': NARROW,
  'without all': [...INDEXES.map(([, drop = '']) => drop), ...NARROW],
};

const CALLER = () => `admin-${randomInt(1, ADMINISTRATORS + 1)}`;
const USER = () => `user-${randomInt(1, USERS + 1)}`;

interface Call {
  statement: string;
  values: () => unknown[];
}

const STATUS: Call = {
  statement: `SELECT change_user_status($1, NULL, NULL, NULL, NULL, 'user', $2, 'user', $2, NULL, NULL, 'request-1')`,
  values: () => [USER(), CALLER()],
};

const ASSIGNMENT: Call = {
  statement: `SELECT assign_users($1, $2, $3, NULL, false, false, 'user', $4, NULL, NULL, 'request-1')`,
  values: () => {
    const workspace = randomInt(1, WORKSPACES + 1);
    const group = randomInt(1, GROUPS_PER_WORKSPACE + 1);
    return [[USER()], [`workspace-${workspace}`], [`group-${workspace}-${group}`], CALLER()];
  },
};

/** The last group of the last workspace grants the type `administrator` here, so each of these changes a type. */
const TYPE: Call = {
  statement: `SELECT assign_users($1, '{workspace-${WORKSPACES}}', '{group-${WORKSPACES}-10}', NULL, false, false, 'user', $2, NULL, NULL, 'request-1')`,
  values: () => [[USER()], CALLER()],
};
const GRANT_ADMINISTRATOR = `INSERT INTO group_permissions (group_key, permission_key) VALUES (${WORKSPACES * GROUPS_PER_WORKSPACE}, 20)`;

const CALLS_OF: Record<string, Call> = {
  'status changes': STATUS,
  'assignments of one user': ASSIGNMENT,
  'assignments that change the type': TYPE,
};

interface Entrant {
  database: BenchDatabase;
  client: Client;
  backend: number;
}

async function enter(server: string, changes: readonly string[]): Promise<Entrant> {
  const database = await createBenchDirectory(server, WORKSPACES, USERS);
  await database.execute([...changes, 'VACUUM ANALYZE users', GRANT_ADMINISTRATOR]);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('SET synchronous_commit = off');
  const { rows } = await client.query<{ backend: number }>('SELECT pg_backend_pid() AS backend');
  return { database, client, backend: rows[0]?.backend ?? 0 };
}

/** @returns milliseconds of one call, the mean of the turn */
async function takeTurn({ client, backend }: Entrant, name: string, { statement, values }: Call): Promise<number> {
  const [begin, cpu] = [performance.now(), cpuTimeOf(backend)];
  for (let call = 0; call < CALLS; call++) await client.query({ name, text: statement, values: values() });
  const used = cpuTimeOf(backend) - cpu;
  return (Number.isNaN(used) ? performance.now() - begin : used) / CALLS;
}

async function updates({ client }: Entrant): Promise<{ all: number; hot: number }> {
  await client.query('SELECT pg_stat_force_next_flush()');
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ all: number; hot: number }>(
    `SELECT n_tup_upd::integer AS all, n_tup_hot_upd::integer AS hot FROM pg_stat_user_tables WHERE relname = 'users'`,
  );
  return rows[0] ?? { all: 0, hot: 0 };
}

async function compare(entrants: Map<string, Entrant>, name: string, call: Call): Promise<void> {
  const before = new Map<string, { all: number; hot: number }>();
  const times: Record<string, number[]> = {};
  for (const [kind, entrant] of entrants) {
    before.set(kind, await updates(entrant));
    await takeTurn(entrant, name, call);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [...entrants] : [...entrants].toReversed();
    for (const [kind, entrant] of order) (times[kind] ??= []).push(await takeTurn(entrant, name, call));
  }
  for (const [kind, entrant] of entrants) {
    const [was, is] = [before.get(kind) ?? { all: 0, hot: 0 }, await updates(entrant)];
    const share = ((is.hot - was.hot) / Math.max(1, is.all - was.all)) * 100;
    const median = spread(times[kind] ?? []).median.toFixed(3);
    const ratio = spreadText(ratios(times[kind] ?? [], times['without all'] ?? []));
    process.stdout.write(`| ${name} | ${kind} | ${share.toFixed(0)} % | ${median} | ${ratio} |\n`);
  }
}

async function main(server: string): Promise<void> {
  const entrants = new Map<string, Entrant>();
  try {
    for (const [kind, changes] of Object.entries(WITHOUT)) entrants.set(kind, await enter(server, changes));
    process.stdout.write('| workload | indexes | HOT | ms | time / without all |\n| --- | --- | --- | --- | --- |\n');
    for (const [name, call] of Object.entries(CALLS_OF)) await compare(entrants, name, call);
  } finally {
    for (const { client, database } of entrants.values()) {
      await client.end();
      await database.drop();
    }
  }
}

const { DATABASE_URL } = process.env;
if (DATABASE_URL) void main(DATABASE_URL);
else process.stderr.write('Set DATABASE_URL to a PostgreSQL server on which databases may be created.\n');
