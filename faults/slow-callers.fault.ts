import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, percentile, tally, Writers } from './writers';

const PAIRS = 50_000;
const HEAD = 'POST /api/users/workspace-assign HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const HALVES = ['', HEAD, `${HEAD}Content-Length: 1000\r\n\r\n{"userIds":[`];

/** Sends half a request, and then a byte now and again; resolves with how long it took until the service hung up. */
async function dawdle(port: number, half: string): Promise<number> {
  const began = performance.now();
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.resume();
  if (half !== '') socket.write(half);
  const drip = setInterval(() => half !== '' && socket.write('a'), 3_000);
  await once(socket, 'close');
  clearInterval(drip);
  return performance.now() - began;
}

async function main(): Promise<void> {
  const count = rounds(400);
  const trial = new Trial(`${count} slow callers, half of a request each, beside 4 that are quick`);
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  await fillDirectory(postgres.url, PAIRS);
  const before = new Writers(service, 4, PAIRS / 2, 20);
  await delay(5_000);
  await before.stop();
  const slow = Array.from({ length: count }, (_, index) => dawdle(service.port, HALVES[index % HALVES.length] ?? ''));
  await delay(500);
  const writers = new Writers(service, 4, PAIRS, 20);
  const closed = await Promise.all(slow);
  await writers.stop();
  const p99 = (replies: Writers['replies']) =>
    percentile(
      replies.map(({ ms }) => ms),
      0.99,
    );
  trial.expect(
    'answers to the quick',
    writers.replies.every(({ status }) => status === 200),
    tally(writers.replies),
  );
  trial.expect(
    'p99 of the quick, ms',
    p99(writers.replies) < 100,
    `${Math.round(p99(writers.replies))} (alone: ${Math.round(p99(before.replies))})`,
  );
  trial.expect('the last slow one was closed after, ms', Math.max(...closed) < 30_000, Math.round(Math.max(...closed)));
  trial.finish();
}

void main();
