import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBenchDirectory } from './bench-directory';
import { Contestant } from './contestant';
import { measure, type Sample } from './measure';
import { digits, spreadText } from './report';
import { ratios, spread } from './statistics';
import { Workloads } from './workloads';

/**
 * Measures what a second worker brings, on the server that DATABASE_URL names: one and two workers in turns, on the
 * same data.
 *
 * @example DATABASE_URL=postgres://... node -r @swc-node/register test/bench/workers.bench.ts
 */
const USERS = 100_000;
const WORKSPACES = 1_000;
const TURNS = { rounds: 5, seconds: 2 };

async function main(server: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const secret = randomBytes(32).toString('hex');
  const directory = await createBenchDirectory(server, WORKSPACES, USERS);
  const start = (workers: string) => {
    const environment = { DATABASE_URL: directory.url, JWT_SECRET: secret, WORKERS: workers };
    return Contestant.start(workers, ['dist/main.js'], environment, join(folder, `${workers}.log`));
  };
  const contestants = [await start('1'), await start('2')];
  const workloads = new Workloads(secret, USERS, WORKSPACES);
  try {
    process.stdout.write(
      '| workload | 1 worker, requests/s | 2 workers, requests/s | 2 workers / 1 |\n| --- | --- | --- | --- |\n',
    );
    for (const workload of [workloads.assignOne(32), workloads.changeStatus(32), workloads.refuse()]) {
      const samples = await measure(contestants, workload, TURNS);
      const [one = [], two = []] = ['1', '2'].map((name) => perSecond(samples[name] ?? []));
      const cells = [
        workload.title,
        digits(spread(one).median),
        digits(spread(two).median),
        spreadText(ratios(two, one)),
      ];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.stop()));
    await directory.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const perSecond = (samples: Sample[]) => samples.map((sample) => sample.perSecond);

const { DATABASE_URL } = process.env;
if (DATABASE_URL) void main(DATABASE_URL);
else process.stderr.write('Set DATABASE_URL to a PostgreSQL server on which databases may be created.\n');
