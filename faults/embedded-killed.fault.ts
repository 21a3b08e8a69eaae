import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findEmbeddedDatabase } from '@user-administration/pglite-server';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, judgeStored, tally, Writers } from './writers';

const PAIRS = 5_000;

async function main(): Promise<void> {
  const times = rounds(50);
  const trial = new Trial(`the service is killed (SIGKILL) ${times} times under writes to its embedded database`);
  const dataDir = mkdtempSync(join(tmpdir(), 'faults-embedded-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const service = await FaultyService.ready({ DATA_DIR: dataDir });
  // The running service lets others in by the address that it leaves in the folder.
  const address = async (): Promise<string> => {
    const url = await findEmbeddedDatabase(dataDir);
    if (url === undefined) throw new Error('The service does not tell where its database is.');
    return url;
  };
  await fillDirectory(await address(), PAIRS);
  const writers = new Writers(service, 4, PAIRS, 5);
  const openings: number[] = [];
  for (let round = 0; round < times; round++) {
    await writers.nextSuccess();
    await delay(100 + Math.random() * 300);
    await service.end('SIGKILL');
    service.start();
    openings.push(await service.until('/health/ready', 200));
  }
  await writers.nextSuccess();
  await writers.stop();
  const faults = writers.replies.filter(({ status }) => status !== 200 && status !== 503);
  trial.expect(
    'opened again',
    openings.length === times,
    `${openings.length} times, the slowest in ${Math.round(Math.max(...openings))} ms`,
  );
  trial.expect('answers', faults.length === 0, tally(writers.replies));
  await judgeStored(trial, await address(), writers);
  await service.end('SIGTERM');
  trial.finish();
}

void main();
