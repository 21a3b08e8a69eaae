import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findEmbeddedDatabase } from '@user-administration/pglite-server';
import { directoryLines } from './directory-lines';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { audit, fillDirectory, percentile, tally, Writers } from './writers';

const PAIRS = 20_000;

async function main(): Promise<void> {
  const thousands = rounds(100);
  const trial = new Trial(
    `${thousands},000 users are imported on a server, and a fifth of them embedded, beside 4 writers`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'faults-import-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

  const postgres = await PrivatePostgres.running();
  const onServer = { DATABASE_URL: postgres.url };
  await importBeside(
    trial,
    'server',
    onServer,
    () => Promise.resolve(postgres.url),
    folder,
    thousands * 1_000,
    30,
    2_000,
  );
  postgres.remove();

  // The import has its one session until it commits, and others wait for that long: 5.4 s of processor time.
  const embedded = { DATA_DIR: join(folder, 'data') };
  const address = async (): Promise<string> => {
    const url = await findEmbeddedDatabase(embedded.DATA_DIR);
    if (url === undefined) throw new Error('The service does not tell where its database is.');
    return url;
  };
  await importBeside(trial, 'embedded', embedded, address, folder, thousands * 200, 15, 7_500);
  trial.finish();
}

async function importBeside(
  trial: Trial,
  where: string,
  environment: Record<string, string>,
  address: () => Promise<string>,
  folder: string,
  users: number,
  seconds: number,
  patienceMs: number,
): Promise<void> {
  const service = await FaultyService.ready(environment);
  await fillDirectory(await address(), PAIRS);
  const file = join(folder, `${where}.ndjson`);
  await pipeline(Readable.from(directoryLines(users, users / 10)), createWriteStream(file));
  const writers = new Writers(service, 4, PAIRS, 10);
  await writers.nextSuccess();
  const began = performance.now();
  const tool = spawn(process.execPath, ['dist/cli/main.js', 'directory', 'import', file], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(tool, 'exit')) as [number | null];
  const took = (performance.now() - began) / 1_000;
  await writers.stop();
  const times = writers.replies.map(({ ms }) => ms);
  const slowest = Math.max(...times);
  const { lost, torn } = await audit(await address(), writers.acknowledged);
  trial.expect(`${where}: the import ends with`, code === 0, String(code));
  trial.expect(`${where}: ${users} users in ${users / 10} groups, s`, took < seconds, took.toFixed(1));
  trial.expect(
    `${where}: answers to changes of others`,
    writers.replies.every(({ status }) => status === 200),
    tally(writers.replies),
  );
  const broken = writers.broken.map(({ code }) => code).join(', ');
  trial.expect(`${where}: broken connections`, broken === '', broken || 0);
  trial.expect(
    `${where}: the slowest of them, ms`,
    slowest < patienceMs,
    `${Math.round(slowest)} (median ${Math.round(percentile(times, 0.5))}, p99 ${Math.round(percentile(times, 0.99))})`,
  );
  trial.expect(`${where}: writes lost or torn`, lost + torn === 0, lost + torn);
  await service.end('SIGTERM');
}

void main();
