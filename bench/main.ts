import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { createBareDirectory } from './bare/bare-directory';
import { BenchDatabase } from './bench-database';
import { createBenchDirectory, createTablesBy } from './bench-directory';
import { type BenchOptions, readOptions, UsageError } from './bench-options';
import { Contestant } from './contestant';
import { measureLists } from './lists';
import { createListsDirectory } from './lists-directory';
import { measure, type Samples } from './measure';
import { markdown, type Outcome, summary } from './report';
import { soak } from './soak';
import { figureOf, type Target, throughputBy, timeBy } from './verdicts';
import type { Workload } from './workload';
import { Workloads } from './workloads';

const FEW_USERS = 1_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Everything that a run has started, to end in any case. */
class Bench {
  readonly outcomes: Outcome[] = [];
  private readonly secret = randomBytes(32).toString('hex');
  private readonly folder = mkdtempSync(join(tmpdir(), 'bench-'));
  private readonly databases: BenchDatabase[] = [];
  private readonly contestants: Contestant[] = [];

  constructor(private readonly options: BenchOptions) {}

  async run(): Promise<void> {
    const { users, workspaces, manyUsers, only, soakMinutes, pair } = this.options;
    if (pair !== undefined) return this.comparePair(pair, new Workloads(this.secret, users, workspaces));
    if (only.some((name) => name !== 'E' && name !== 'L') || soakMinutes > 0) {
      const directory = await this.makeDirectory(users);
      await this.compare(directory, new Workloads(this.secret, users, workspaces));
    }
    if (only.includes('E')) await this.grow(manyUsers);
    if (only.includes('L')) await this.list(manyUsers);
  }

  async close(): Promise<void> {
    await Promise.all(this.contestants.map((contestant) => contestant.stop()));
    for (const database of this.databases) await database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async compare(directory: BenchDatabase, workloads: Workloads): Promise<void> {
    const { service, against, soakMinutes } = this.options;
    const ours = await this.start('service', [service], directory);
    const others = against ? [await this.start('against', [against], directory)] : [];
    const bareDirectory = await this.makeDirectory(this.options.users, createBareDirectory);
    const bare = await this.start('bare', fromSource('bare/main.ts'), bareDirectory);
    const usual = await this.start('usual way', fromSource('usual-way/main.ts'), directory);
    const plan: [Workload, Target[]][] = [
      [workloads.assignOne(1), [timeBy('bare', 2.4)]],
      [workloads.assignOne(32), [timeBy('bare', 2.4)]],
      [workloads.assignMany(), [timeBy('bare', 1.2), throughputBy('usual way', 30), LOOP_DELAY]],
      [workloads.changeStatus(1), [timeBy('bare', 2.6)]],
      [workloads.changeStatus(32), [timeBy('bare', 3.4)]],
      [workloads.refuse(), [timeBy('bare', 3)]],
      [workloads.overlap(), [P99_OF_OVERLAP, NO_ERRORS]],
    ];
    for (const [workload, targets] of plan) {
      const entrants = [ours, ...others, bare, ...(workload.usualWay === 'no' ? [] : [usual])];
      await this.take(entrants, workload, targets);
    }
    await this.takeOperations(ours, workloads.bulkOperations());
    if (soakMinutes > 0) say(await soak(ours, workloads.mixed(), soakMinutes));
  }

  /** Two builds, each with a database that it has migrated itself, so that they can have other tables and functions. */
  private async comparePair(folder: string, workloads: Workloads): Promise<void> {
    const { users, service } = this.options;
    const theirs = await this.makeDirectory(users, (server, workspaces) =>
      createBenchDirectory(server, workspaces, users, createTablesBy(folder)),
    );
    const entrants = [
      await this.start('service', [service], await this.makeDirectory(users)),
      await this.start('pair', [resolve(folder, 'dist/main.js')], theirs),
    ];
    const plan = [1, 32].flatMap((at) => [workloads.assignOne(at), workloads.changeStatus(at)]);
    for (const workload of [...plan, workloads.assignMany()])
      await this.take(entrants, workload, [timeBy('pair', 1.05)]);
  }

  /** The same work on a small directory and on a large one, at the same time. */
  private async grow(manyUsers: number): Promise<void> {
    const { workspaces } = this.options;
    const names = [FEW_USERS, manyUsers].map((users) => `${users.toLocaleString('en')} users`) as [string, string];
    const [few, many] = [await this.makeDirectory(FEW_USERS), await this.makeDirectory(manyUsers)];
    const entrants = [
      await this.start(names[0], [this.options.service], few),
      await this.start(names[1], [this.options.service], many),
    ];
    const workload = new Workloads(this.secret, FEW_USERS, workspaces).assignOne(1);
    const title = 'E one user assigned, as the directory grows';
    await this.take(entrants, { ...workload, name: 'E', title }, [timeBy(names[0], 1.2, names[1])]);
  }

  private async list(users: number): Promise<void> {
    const { lists, listCalls, plans } = this.options;
    const create = (server: string) => createListsDirectory(server, users);
    const directory = await this.makeDirectory(users, (server) =>
      lists ? BenchDatabase.kept(server, lists, create) : create(server),
    );
    say(await measureLists(directory, listCalls, plans));
  }

  private async take(entrants: Contestant[], workload: Workload, targets: Target[]): Promise<void> {
    if (!this.options.only.includes(workload.name)) return;
    const samples = await measure(entrants, workload, this.options);
    const outcome = { title: workload.title, samples, targets };
    this.outcomes.push(outcome);
    say(summary(outcome));
  }

  /** The operations on many users, each beside the assignment of the same service. */
  private async takeOperations(service: Contestant, operations: Workload[]): Promise<void> {
    if (!this.options.only.includes('U')) return;
    const samples: Samples = {};
    for (const operation of operations) {
      const { [service.name]: taken = [] } = await measure([service], operation, this.options);
      samples[operation.title] = taken;
    }
    const [first = '', ...others] = Object.keys(samples);
    const title = 'U operations on 1,000 users, assignments to 5 workspaces';
    const outcome = { title, samples, targets: others.map((other) => timeBy(first, 1.5, other)) };
    this.outcomes.push(outcome);
    say(summary(outcome));
  }

  private async makeDirectory(
    users: number,
    create: (server: string, workspaces: number, users: number) => Promise<BenchDatabase> = createBenchDirectory,
  ): Promise<BenchDatabase> {
    say(`Preparing a directory of ${users.toLocaleString('en')} users …`);
    const directory = await create(this.options.server, this.options.workspaces, users);
    this.databases.push(directory);
    return directory;
  }

  private async start(name: string, program: string[], directory: BenchDatabase): Promise<Contestant> {
    const environment = { DATABASE_URL: directory.url, JWT_SECRET: this.secret };
    const contestant = await Contestant.start(name, program, environment, join(this.folder, `${name}.log`));
    this.contestants.push(contestant);
    return contestant;
  }
}

const LOOP_DELAY = figureOf('event loop delay, p99 ms', (sample) => sample.eventLoopDelayP99Ms, 50);
const P99_OF_OVERLAP = figureOf('p99 ms', ({ p99 }) => p99, 2_000);
const NO_ERRORS = figureOf('errors', ({ errors }) => errors, 0);

const fromSource = (path: string) => ['-r', '@swc-node/register', join(__dirname, path)];

async function versionOf(server: string): Promise<string> {
  const client = new Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query<{ version: string }>(
    `SELECT 'PostgreSQL ' || current_setting('server_version') AS version`,
  );
  await client.end();
  return rows[0]?.version ?? '';
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env.DATABASE_URL);
  const version = await versionOf(options.server);
  const bench = new Bench(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void bench.close().finally(() => process.exit(1)));
  }
  try {
    await bench.run();
  } finally {
    await bench.close();
  }
  if (bench.outcomes.length > 0) say(markdown(bench.outcomes, version));
  writeFileSync(
    options.output,
    JSON.stringify({ options: { ...options, server: undefined }, version, outcomes: bench.outcomes }, null, 2),
  );
}

main().catch((error: unknown) => {
  const inWords =
    error instanceof UsageError ||
    (error instanceof Error && 'code' in error && /ERR_PARSE_ARGS/.test(String(error.code)));
  process.stderr.write(
    `${inWords ? (error as Error).message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exitCode = 1;
});
