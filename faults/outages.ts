import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { call, type Reply } from './call';
import type { FaultyService } from './service-process';
import type { Trial } from './trial';
import { isAnUnknownOutcome, tally, type Writers } from './writers';

const OUTAGE_MS = 3_000;
const PAUSE_MS = 10;

/** Asks for a list again and again while some work is done, and tells what came back. */
export async function readersDuring(work: () => Promise<unknown>, url: string, token: string): Promise<Reply[]> {
  const agent = new Agent({ keepAlive: true });
  const replies: Reply[] = [];
  let isOver = false;
  const read = async (): Promise<void> => {
    while (!isOver) {
      replies.push(await call(`${url}/api/users?limit=1`, { token, agent }));
      await delay(PAUSE_MS);
    }
  };
  const readers = Array.from({ length: 8 }, read);
  await work();
  isOver = true;
  await Promise.all(readers);
  agent.destroy();
  return replies;
}

/** How a database stops serving, and begins again. */
interface Outage {
  name: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** What holds in an outage: from when the service is not ready, readers and writers are told to come again; soon after the end they are served. */
export async function judgeOutage(
  trial: Trial,
  service: FaultyService,
  writers: Writers,
  { name, begin, end }: Outage,
): Promise<void> {
  await writers.nextSuccess();
  await begin();
  const noticed = await service.until('/health/ready', 503);
  const began = performance.now();
  const reads = await readersDuring(() => delay(OUTAGE_MS), service.url, service.token);
  const writes = writers.replies.filter(({ at, ms }) => at - ms >= began);
  await end();
  const ended = performance.now();
  const success = (await writers.nextSuccess()) - ended;
  await service.until('/health/ready', 200);
  for (const [who, replies] of Object.entries({ readers: reads, writers: writes })) {
    const isRefused = replies.every(({ status, headers }) => status === 503 && headers['retry-after']);
    trial.expect(`${name}: answers to ${who}`, isRefused && replies.length > 0, tally(replies));
  }
  trial.expect(`${name}: not ready after, ms`, noticed < 2_000, Math.round(noticed));
  trial.expect(`${name}: first success after its end, ms`, success < 3_000, Math.round(success));
}

/** What holds at the end of any outages. */
export function judgeWriters(trial: Trial, service: FaultyService, writers: Writers, pid: number): void {
  const refused = writers.replies.filter(({ status }) => status === 503);
  const silent = refused.filter((reply) => !isAnUnknownOutcome(reply) && !reply.headers['retry-after']);
  const faults = writers.replies.filter(({ status }) => status !== 200 && status !== 503);
  trial.expect('answers to writers in all', faults.length === 0, tally(writers.replies));
  trial.expect('503 without Retry-After, but for unknown outcomes', silent.length === 0, silent.length);
  trial.expect('broken connections to the service', writers.broken.length === 0, writers.broken.length);
  trial.expect('the service was not restarted', !service.exit && service.pid === pid, `process ${pid}`);
}
