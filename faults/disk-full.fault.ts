import { setTimeout as delay } from 'node:timers/promises';
import { judgeWriters, readersDuring } from './outages';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, judgeStored, tally, Writers } from './writers';

const DISK_MB = 192;
const PAIRS = 20_000;
const FULL_MS = 3_000;

async function main(): Promise<void> {
  const times = rounds(3);
  const trial = new Trial(`the disk of the database is filled to its last block ${times} times, under 16 writers`);
  const postgres = await PrivatePostgres.onDisk(DISK_MB);
  if (!postgres) {
    process.stdout.write('  SKIPPED: this user may not mount a disk\n');
    return trial.finish();
  }
  await postgres.start();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  const { pid } = service;
  await fillDirectory(postgres.url, PAIRS);
  const writers = new Writers(service, 16, PAIRS, 5);
  for (let round = 0; round < times; round++) {
    await writers.nextSuccess();
    postgres.fillDisk();
    // The pages that tables already have take some more rows.
    await service.until('/health/ready', 503);
    const began = performance.now();
    const readiness: string[] = [];
    const reads = await readersDuring(
      async () => {
        for (let asked = 0; asked < FULL_MS; asked += 100) {
          const ready = await fetch(`${service.url}/health/ready`);
          readiness.push(String(ready.status));
          await ready.body?.cancel();
          await delay(100);
        }
      },
      service.url,
      service.token,
    );
    const writes = writers.replies.filter(({ at, ms }) => at - ms >= began);
    postgres.makeRoom();
    const made = performance.now();
    const recovery = await service.until('/health/ready', 200);
    const success = (await writers.nextSuccess()) - made;
    trial.expect(
      'full: answers to writers',
      writes.some(({ status }) => status === 503),
      tally(writes),
    );
    trial.expect(
      'full: answers to readers',
      reads.every(({ status }) => [200, 503].includes(status)),
      tally(reads),
    );
    trial.expect(
      'full: not ready throughout',
      readiness.every((status) => status === '503'),
      [...new Set(readiness)].join(),
    );
    trial.expect('room again: ready after, ms', recovery < 3_000, Math.round(recovery));
    trial.expect('room again: a success after, ms', success < 3_000, Math.round(success));
  }
  await writers.stop();
  judgeWriters(trial, service, writers, pid);
  await judgeStored(trial, postgres.url, writers);
  trial.finish();
}

void main();
