import { parseArgs } from 'node:util';
import { WORKLOAD_NAMES, type WorkloadName } from './workload';

/** How large a directory, and how long each contestant is measured. */
export interface BenchOptions {
  server: string;
  users: number;
  /** The final size of the directory in workload E, and its size in L. */
  manyUsers: number;
  workspaces: number;
  rounds: number;
  /** How many pages workload L reads of each list. */
  listCalls: number;
  /** The database of L, which is made if it is missing, and kept. */
  lists: string | undefined;
  /** Of how many lists workload L tells the plans: those that take the longest. */
  plans: number;
  seconds: number;
  only: readonly WorkloadName[];
  soakMinutes: number;
  /** The measured build of the service, and optionally another one for comparison. */
  service: string;
  against: string | undefined;
  /** The folder of another checkout, which has been built: only A, B and C of both are measured. */
  pair: string | undefined;
  output: string;
}

export const USAGE = `DATABASE_URL=postgres://... npm run bench -- [options]

Measures the service beside two others on the same data, in databases that it makes on that server and drops again.

  --quick              a smoke run: small, short, and no measurement
  --users <n>          users of the directory (100000)
  --many-users <n>     what it grows to for workload E, and its size for L (1000000)
  --workspaces <n>     workspaces, of 10 groups each (1000)
  --rounds <n>         how many samples to take of each contestant (7)
  --list-calls <n>     how many pages workload L reads of each list (100)
  --lists <name>       the database of L: made if it is missing, and kept for the next run
  --plans <n>          the plans of the n lists of L that take the longest (3)
  --seconds <n>        how long a sample takes (3)
  --only <A,B,...>     some of the workloads ${WORKLOAD_NAMES.join(', ')}
  --soak <minutes>     mixed load for so long, and how the service's memory grows meanwhile (0)
  --against <main.js>  another build of the service, measured beside this one on the same database
  --pair <folder>      another checkout that has been built, with a database of its own: A, B and C of both, in turns
  --output <file>      where the figures go as JSON (bench-results.json)
`;

/** Thrown with a message for the user of the benchmark. */
export class UsageError extends Error {}

export function readOptions(args: string[], server: string | undefined): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      users: { type: 'string' },
      'many-users': { type: 'string' },
      workspaces: { type: 'string' },
      rounds: { type: 'string' },
      'list-calls': { type: 'string' },
      lists: { type: 'string' },
      plans: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      soak: { type: 'string' },
      service: { type: 'string', default: 'dist/main.js' },
      against: { type: 'string' },
      pair: { type: 'string' },
      output: { type: 'string', default: 'bench-results.json' },
    },
  });
  if (!server) {
    throw new UsageError(`Set DATABASE_URL to a PostgreSQL server on which databases may be created.\n\n${USAGE}`);
  }
  const { quick } = values;
  const count = (
    name: 'users' | 'many-users' | 'workspaces' | 'rounds' | 'list-calls' | 'plans',
    full: number,
    small: number,
  ): number => {
    const value = Number(values[name] ?? (quick ? small : full));
    if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} must be a whole number.\n\n${USAGE}`);
    return value;
  };
  const duration = (name: 'seconds' | 'soak', otherwise: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (!(value >= 0)) throw new UsageError(`--${name} must be a number.\n\n${USAGE}`);
    return value;
  };
  const only = values.only?.toUpperCase().split(',') ?? [...WORKLOAD_NAMES];
  const unknown = only.filter((name) => !WORKLOAD_NAMES.some((known) => known === name));
  if (unknown.length > 0) throw new UsageError(`--only: there is no workload ${unknown.join(', ')}.\n\n${USAGE}`);
  return {
    server,
    users: count('users', 100_000, 10_000),
    manyUsers: count('many-users', 1_000_000, 20_000),
    workspaces: count('workspaces', 1_000, 100),
    rounds: count('rounds', 7, 2),
    listCalls: count('list-calls', 100, 6),
    lists: values.lists,
    plans: count('plans', 3, 1),
    seconds: duration('seconds', quick ? 0.7 : 3),
    only: WORKLOAD_NAMES.filter((name) => only.includes(name)),
    soakMinutes: duration('soak', 0),
    service: values.service,
    against: values.against,
    pair: values.pair,
    output: values.output,
  };
}
