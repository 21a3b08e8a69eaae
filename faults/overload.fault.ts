import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { call, type Reply } from './call';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, percentile, tally } from './writers';

const POOL = 4;
const QUEUE = 50;
const PAIRS = 10_000;

async function main(): Promise<void> {
  const callers = rounds(1_000);
  const trial = new Trial(`${callers} callers at once, on ${POOL} connections and a queue of ${QUEUE}`);
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: String(POOL),
    DATABASE_QUEUE_SIZE: String(QUEUE),
  });
  await fillDirectory(postgres.url, PAIRS);
  const agent = new Agent({ keepAlive: true });
  const { token } = service;
  const replies: Reply[] = [];
  const health: Reply[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      health.push(await call(`${service.url}/health/live`), await call(`${service.url}/health/ready`));
      await delay(100);
    }
  })();
  const end = performance.now() + 10_000;
  let pair = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        const body = JSON.stringify({
          userIds: [`${pair++ % PAIRS}a`],
          workspaces: ['w1', 'w2'],
          groups: ['g1', 'g2'],
        });
        const reply = await call(`${service.url}/api/users/workspace-assign`, { body, token, agent });
        replies.push(reply);
        // Some come again as soon as they are told to, and some too soon.
        if (reply.status === 503) await delay(Math.random() * 1_500);
      }
    }),
  );
  isOver = true;
  await watching;
  agent.destroy();
  const refused = replies.filter(({ status }) => status === 503);
  const served = replies.filter(({ status }) => status === 200);
  const silent = refused.filter(({ headers }) => !headers['retry-after']);
  trial.expect('answers', served.length + refused.length === replies.length && served.length > 0, tally(replies));
  trial.expect('refused without Retry-After', silent.length === 0, silent.length);
  trial.expect(
    'slowest answer, ms',
    Math.max(...replies.map(({ ms }) => ms)) < 8_000,
    Math.round(Math.max(...replies.map(({ ms }) => ms))),
  );
  trial.expect(
    'health meanwhile',
    health.every(({ status }) => status === 200),
    tally(health),
  );
  trial.expect(
    'slowest answer about health, ms',
    Math.max(...health.map(({ ms }) => ms)) < 5_000,
    `${Math.round(Math.max(...health.map(({ ms }) => ms)))} (median ${Math.round(
      percentile(
        health.map(({ ms }) => ms),
        0.5,
      ),
    )})`,
  );
  await delay(1_000);
  const body = JSON.stringify({ userIds: ['0a'], workspaces: ['w1'] });
  const after = await call(`${service.url}/api/users/workspace-assign`, { body, token });
  trial.expect('a request a second later', after.status === 200, `${after.status} in ${Math.round(after.ms)} ms`);
  trial.finish();
}

void main();
