import 'reflect-metadata';
import { PrivatePostgres } from '../test/support/private-postgres';
import { ADMINISTRATORS, createBenchDirectory, GROUPS_PER_WORKSPACE } from './bench-directory';
import { instructionsOf } from './instructions';

/**
 * What the lists cost when users change: instructions of the database for one call, with all that exists only for lists of users, and
 * without it. It needs `valgrind` and the programs of a PostgreSQL server, of which it makes one of its own. It takes five minutes on
 * an idle machine, and with `--parts`, which also leaves out each part alone, a quarter of an hour.
 *
 *     node -r @swc-node/register bench/list-instructions.bench.ts [--parts]
 */
const USERS = 20_000;
const WORKSPACES = 1_000;

const INDEXES = ['users_created_at', 'users_name_order', 'users_type', 'users_search'].map(
  (index) => `DROP INDEX ${index}`,
);
const COLUMN = ['ALTER TABLE users DROP COLUMN searchable, DROP COLUMN name_order', 'VACUUM FULL users'];
const TABLES = [
  'DROP TABLE inactive_users, user_updates',
  'DROP FUNCTION list_created_users(), list_changed_user(), unlist_deleted_user() CASCADE',
];
/** The keys without the columns by which lists sort and test. */
const NARROW = [
  'ALTER TABLE users DROP CONSTRAINT users_id_unique, ADD CONSTRAINT users_id_unique UNIQUE (id)',
  'ALTER TABLE users DROP CONSTRAINT users_pkey CASCADE, ADD CONSTRAINT users_pkey PRIMARY KEY (key)',
  ...['workspace_memberships', 'user_permissions'].map(
    (table) => `ALTER TABLE ${table} ADD FOREIGN KEY (user_key) REFERENCES users (key) ON DELETE CASCADE`,
  ),
];
/** Without all comes first: the others are compared with it. */
const DIRECTORIES: Record<string, readonly string[]> = {
  'without all': [...INDEXES, ...COLUMN, ...TABLES, ...NARROW],
  'with all': [],
  'without the indexes': INDEXES,
  'without the searched text': [INDEXES[3] ?? '', ...COLUMN],
  'without the tables beside users': TABLES,
  'with narrow keys': NARROW,
};
/** The last group of the last workspace grants the type `administrator` here. */
const GRANT_ADMINISTRATOR = `INSERT INTO group_permissions (group_key, permission_key) VALUES (${WORKSPACES * GROUPS_PER_WORKSPACE}, 20)`;
/** Every run begins with all tables and indexes in memory. */
const WARM = `SELECT sum(pg_prewarm(oid)) FROM pg_class WHERE relkind IN ('r', 'i') AND relpersistence = 'p'`;

interface Call {
  /** A function of users, workspaces, groups and the id of the caller, which is prepared as in the service. */
  prepare: string;
  values: (call: number) => [users: string[], workspaces: string[], groups: string[]];
  /** How often it is called in two runs, whose difference counts. */
  few: number;
  many: number;
}

const prepared = (types: string, call: string) => `PREPARE called (${types}) AS SELECT ${call}`;
const changing = (verb: 'assign' | 'unassign') =>
  prepared(
    'text[], text[], text[], text',
    `${verb}_users($1, $2, $3, NULL, false, false, 'user', $4, NULL, NULL, 'request-1', NULL)`,
  );
const SINGLE = { few: 20, many: 260 };
/** A place of which the user is no member: users are in the workspace of their number. */
const elsewhere = (user: number) => (user + WORKSPACES / 2) % (WORKSPACES - 1);

const CALLS: Record<string, Call> = {
  'status change': {
    prepare: prepared(
      'text[], text[], text[], text',
      `change_user_status($1[1], NULL, NULL, NULL, NULL, 'user', $4, 'user', $4, NULL, NULL, 'request-1', NULL)`,
    ),
    // Each user is deactivated, and then activated.
    values: (call) => [[`user-${1_000 + Math.floor(call / 2)}`], [], []],
    ...SINGLE,
  },
  'assignment of one user': { prepare: changing('assign'), values: (call) => placesOf(4_000 + call * 7), ...SINGLE },
  'unassignment of one user': {
    prepare: changing('unassign'),
    values: (call) => placesOf(4_000 + call * 7),
    ...SINGLE,
  },
  'assignment that changes the type': {
    prepare: changing('assign'),
    values: (call) => [[`user-${8_000 + call * 7}`], [`workspace-${WORKSPACES}`], [`group-${WORKSPACES}-10`]],
    ...SINGLE,
  },
  'assignment of 1,000 users to 5 workspaces': {
    prepare: changing('assign'),
    values: (call) => [
      Array.from({ length: 1_000 }, (_, user) => `user-${12_000 + call * 1_000 + user}`),
      Array.from({ length: 5 }, (_, workspace) => `workspace-${100 + workspace}`),
      [],
    ],
    few: 1,
    many: 3,
  },
};

function placesOf(user: number): [string[], string[], string[]] {
  const workspace = elsewhere(user) + 1;
  return [[`user-${user}`], [`workspace-${workspace}`], [`group-${workspace}-${(user % GROUPS_PER_WORKSPACE) + 1}`]];
}

function execute({ values }: Call, call: number): string {
  const lists = values(call).map((ids) => `'{${ids.join(',')}}'`);
  return `EXECUTE called (${lists.join(', ')}, 'admin-${(call % ADMINISTRATORS) + 1}')`;
}

/** @returns the name of the new database */
async function create(server: string, changes: readonly string[]): Promise<string> {
  const database = await createBenchDirectory(server, WORKSPACES, USERS);
  await database.execute([...changes, GRANT_ADMINISTRATOR, 'CREATE EXTENSION pg_prewarm', 'VACUUM ANALYZE']);
  return new URL(database.url).pathname.slice(1);
}

/** @returns instructions of one call, the mean */
async function measure(data: string, database: string, call: Call): Promise<number> {
  const run = (from: number, count: number) => {
    const calls = Array.from({ length: count }, (_, index) => execute(call, from + index));
    return instructionsOf(data, database, [WARM, call.prepare, ...calls]);
  };
  const few = await run(0, call.few);
  const many = await run(call.few, call.many);
  return (many - few) / (call.many - call.few);
}

async function main(directories: [string, readonly string[]][]): Promise<void> {
  const postgres = await PrivatePostgres.running();
  const databases: [string, string][] = [];
  for (const [kind, changes] of directories) databases.push([kind, await create(postgres.url, changes)]);
  await postgres.stop();
  // The first start in a database writes its cache of the catalog.
  for (const [, database] of databases) await instructionsOf(postgres.data, database, [WARM]);
  process.stdout.write('| call | lists | thousand instructions | more |\n| --- | --- | --- | --- |\n');
  for (const [name, call] of Object.entries(CALLS)) {
    let without: number | undefined;
    for (const [kind, database] of databases) {
      const count = await measure(postgres.data, database, call);
      without ??= count;
      const more = ((count / without - 1) * 100).toFixed(1);
      process.stdout.write(`| ${name} | ${kind} | ${(count / 1_000).toFixed(0)} | ${more} % |\n`);
    }
  }
}

const directories = Object.entries(DIRECTORIES);
void main(process.argv.includes('--parts') ? directories : directories.slice(0, 2));
