import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createDataSource } from '../test/support/whole-schema';
import { falseTypes } from '../test/races/false-types';
import { call, type Reply } from './call';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService, type Memory } from './service-process';
import { rounds, Trial } from './trial';
import { tally } from './writers';

const OTHERS = 1_000;
const ELSEWHERE = 100;
const PAUSE_MS = 20;
const SLOW_MS = 700;
const PATIENCE_MS = 1_000;
const MIB = 1024 * 1024;
/** One part of the users with its journal entries, the other requests, and caches that fill. It does not depend on the number of users. */
const NEAR = 128 * MIB;

/** What affects every member, and the type that they have afterwards. */
const CHANGES = [
  {
    name: 'grants',
    path: '/api/permissions/common',
    request: { method: 'PATCH', body: JSON.stringify({ grants: 'manager' }) },
    status: 200,
    type: 'manager',
  },
  { name: 'deletion', path: '/api/workspaces/everyone', request: { method: 'DELETE' }, status: 204, type: 'guest' },
];

/** One of the things that others do meanwhile, the n-th time. */
type Ask = (n: number) => Promise<Reply>;

async function main(): Promise<void> {
  const users = rounds(1_000) * 1_000;
  const trial = new Trial(
    `A permission of ${users} users grants another type, and their workspace is deleted, beside three callers`,
  );
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  await fillWorkspace(postgres, users);
  await judgeTypes(trial, postgres, 'before', users, 'member');

  for (const change of CHANGES) {
    await judgeChange(trial, change, postgres, service, users);
    await judgeTypes(trial, postgres, change.name, users, change.type);
  }
  trial.finish();
}

/**
 * All members are in one workspace, and a tenth of them in its group. The other users and workspaces have nothing to do with them, not
 * even the permission: whoever is assigned to a place with the permission waits while it changes.
 */
async function fillWorkspace(postgres: PrivatePostgres, members: number): Promise<void> {
  await postgres.execute(
    `INSERT INTO permissions (id, grants) VALUES ('common', 'member'), ('other', 'member'), ('administer', 'administrator')`,
    `INSERT INTO workspaces (id, name) SELECT 'everyone', 'w' UNION SELECT 'elsewhere-' || n, 'w' FROM generate_series(0, ${ELSEWHERE - 1}) AS n`,
    `INSERT INTO groups (id, name, workspace_key) SELECT 'some', 'g', key FROM workspaces WHERE id = 'everyone'`,
    `INSERT INTO workspace_permissions (workspace_key, permission_key) SELECT w.key, p.key FROM workspaces AS w
     JOIN permissions AS p ON p.id = CASE w.id WHEN 'everyone' THEN 'common' ELSE 'other' END`,
    `INSERT INTO users (id, type) SELECT 'member-' || n, 'member' FROM generate_series(0, ${members - 1}) AS n`,
    `INSERT INTO workspace_memberships (user_key, workspace_key)
     SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE w.id = 'everyone'`,
    `INSERT INTO group_memberships (user_key, workspace_key, group_key)
     SELECT m.user_key, m.workspace_key, g.key FROM workspace_memberships AS m, groups AS g WHERE m.user_key % 10 = 0`,
    `INSERT INTO users (id) SELECT kind || n FROM generate_series(0, ${OTHERS - 1}) AS n, (VALUES ('assigned-'), ('switched-')) AS k (kind)`,
    `INSERT INTO users (id, type) VALUES ('ada', 'administrator')`,
    `INSERT INTO user_permissions (user_key, permission_key)
     SELECT u.key, p.key FROM users AS u, permissions AS p WHERE u.id = 'ada' AND p.id = 'administer'`,
    'VACUUM ANALYZE',
  );
}

/** Makes the change, and asks for other things until it is answered. */
async function judgeChange(
  trial: Trial,
  { name, path, request, status }: (typeof CHANGES)[number],
  postgres: PrivatePostgres,
  service: FaultyService,
  members: number,
): Promise<void> {
  const { token } = service;
  const agent = new Agent({ keepAlive: true });
  const ask = (to: string, body?: object) =>
    call(service.url + to, { token, agent, ...(body && { body: JSON.stringify(body) }) });
  const kinds: Record<string, Ask> = {
    // Readers do not wait for the change even where it changes something.
    'read of a user': (n) => ask(`/api/users/${n % 2 ? 'ada' : `member-${n % members}`}`),
    'assignment of others': (n) =>
      ask('/api/users/workspace-assign', {
        userIds: [`assigned-${n % OTHERS}`],
        workspaces: [`elsewhere-${Math.floor(n / OTHERS) % ELSEWHERE}`],
      }),
    'change of a status': (n) => ask('/api/users/manage-status', { id: `switched-${n % OTHERS}`, token }),
  };
  for (const each of Object.values(kinds)) await each(0);

  const before = await service.memory();
  const changing = { isOver: false };
  const callers = Object.entries(kinds).map(([kind, each]) => askUntil(changing, postgres, kind, each));
  const watching = peakOf(changing, service, before);
  const answer = await call(service.url + path, { ...request, token, withinMs: 0 });
  changing.isOver = true;
  const peak = await watching;
  const replies = await Promise.all(callers);
  agent.destroy();

  trial.expect(
    `${name}: answered`,
    answer.status === status,
    `${answer.status} in ${(answer.ms / 1_000).toFixed(1)} s`,
  );
  Object.keys(kinds).forEach((kind, at) => {
    const made = replies[at] ?? [];
    const slowest = Math.max(...made.map(({ ms }) => ms));
    trial.expect(`${name}: every ${kind}`, made.length > 0 && made.every((each) => each.status === 200), tally(made));
    trial.expect(`${name}: the slowest ${kind}, ms`, slowest < PATIENCE_MS, Math.round(slowest));
  });
  const figures = ({ used, rss }: Memory) => `${Math.round(used / MIB)} MiB used of ${Math.round(rss / MIB)}`;
  trial.expect(`${name}: memory`, peak.used < before.used + NEAR, `${figures(peak)}; before: ${figures(before)}`);
}

/** One request after the other, until the change is over. A connection that breaks is a reply with status 0. */
async function askUntil(
  changing: { isOver: boolean },
  postgres: PrivatePostgres,
  kind: string,
  ask: Ask,
): Promise<Pick<Reply, 'status' | 'ms'>[]> {
  const replies: Pick<Reply, 'status' | 'ms'>[] = [];
  let samples = Promise.resolve();
  while (!changing.isOver) {
    const began = performance.now();
    const slow = setTimeout(() => {
      samples = samples.then(() => printWaits(postgres, kind));
    }, SLOW_MS);
    const failed = () => ({ status: 0, ms: performance.now() - began });
    replies.push(await ask(replies.length + 1).catch(failed));
    clearTimeout(slow);
    await delay(PAUSE_MS);
  }
  await samples;
  return replies;
}

/** Tells what the sessions of the service do: one that waits for a lock has sessions that block it, and one that lacks processor time has none. */
async function printWaits(postgres: PrivatePostgres, kind: string): Promise<void> {
  const sessions = await postgres.execute(
    `SELECT pid, state, wait_event_type, wait_event, pg_blocking_pids(pid) AS blocked_by, left(query, 80) AS query
     FROM pg_stat_activity WHERE application_name = 'user-administration' AND state <> 'idle'`,
  );
  process.stdout.write(`  slower than ${SLOW_MS} ms: ${kind}; sessions of the service:\n`);
  for (const session of sessions) process.stdout.write(`    ${JSON.stringify(session)}\n`);
}

/** The most memory that the service uses until the change is over, after what nobody uses has been freed. */
async function peakOf(changing: { isOver: boolean }, service: FaultyService, before: Memory): Promise<Memory> {
  let peak = before;
  while (!changing.isOver) {
    const now = await service.memory();
    if (now.used > peak.used) peak = now;
    await delay(500);
  }
  return peak;
}

/** Whether all members have this type, and nobody has a false one. */
async function judgeTypes(
  trial: Trial,
  postgres: PrivatePostgres,
  when: string,
  members: number,
  type: string,
): Promise<void> {
  const [row] = await postgres.execute(
    `SELECT count(*)::integer AS count FROM users WHERE id LIKE 'member-%' AND type = '${type}'`,
  );
  trial.expect(`${when}: members who are ${type}s`, row?.count === members, Number(row?.count));
  const dataSource = await createDataSource({ url: postgres.url, poolSize: 1 }).initialize();
  const { length } = await falseTypes(dataSource);
  await dataSource.destroy();
  trial.expect(`${when}: wrong types`, length === 0, length);
}

void main();
