import { setTimeout as delay } from 'node:timers/promises';
import { Administrators } from './administrators';
import { call } from './call';
import { Crowd } from './crowd';
import { judgeMemory } from './judge-memory';
import { PrivatePostgres } from './private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory } from './writers';

const PAIRS = 50_000;
const PIPELINED = 1_000;
/** Until all are open and have been closed, because nobody took their answers for 25 s. */
const SECONDS = 50;
const PER_SECOND = 100;

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const POST =
  'POST /api/users/workspace-assign HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
/** More than a megabyte each, for anybody: more than the network takes. */
const UNREAD = GET('/api/docs/swagger-ui-bundle.js').repeat(20);

const ALL_AT_ONCE = Buffer.from(POST.repeat(PIPELINED));
const BEHIND_UNREAD = Buffer.from(UNREAD + POST.repeat(PIPELINED));
/** As many as may wait. */
const FEW_BEHIND_UNREAD = Buffer.from(UNREAD + POST.repeat(80));

/** Beside the one that asks. */
async function requestsUnderWay(service: FaultyService): Promise<number> {
  const { text } = await call(`${service.url}/metrics`);
  return Number(/^http_requests_under_way (\d+)$/m.exec(text)?.[1]) - 1;
}

async function main(): Promise<void> {
  const count = rounds(2_000);
  const trial = new Trial(
    `${count} connections without a token pipeline up to ${PIPELINED} requests each, and read no answer, for ${SECONDS} s`,
  );
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  await fillDirectory(postgres.url, PAIRS);
  (await Administrators.alone(service, PAIRS)).judge(trial, 'alone');
  const before = await service.memory();

  const crowd = new Crowd(service.port, count, PER_SECOND, [
    (socket) => void socket.write(ALL_AT_ONCE),
    (socket) => void socket.write(BEHIND_UNREAD),
    (socket) => void socket.write(FEW_BEHIND_UNREAD),
  ]);
  const beside = await Administrators.during(() => delay(SECONDS * 1_000), service, PAIRS);
  beside.judge(trial, 'beside them');
  trial.expect('connections opened', crowd.opened === count, crowd.opened);
  let remaining = await requestsUnderWay(service);
  for (let second = 0; second < SECONDS && remaining > 0; second++) {
    await delay(1_000);
    remaining = await requestsUnderWay(service);
  }
  trial.expect('requests still in progress', remaining === 0, remaining);
  await crowd.leave();
  await judgeMemory(trial, service, before);
  trial.finish();
}

void main();
