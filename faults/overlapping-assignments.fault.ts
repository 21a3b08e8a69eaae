import { randomBytes, randomInt } from 'node:crypto';
import { createDataSource } from '../test/support/whole-schema';
import { falseTypes } from '../test/races/false-types';
import { call, type Reply } from './call';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { tally } from './writers';

const REQUESTS = 64;
const USERS = 300;
const WORKSPACES = 20;
const GROUPS = 3;
const USERS_IN_REQUEST = 100;
const WORKSPACES_IN_REQUEST = 4;

/** Of each workspace the third group makes managers, and the others members; every fifth workspace makes members by itself. */
const DIRECTORY = [
  `INSERT INTO permissions (id, grants) VALUES ('reading', 'member'), ('managing', 'manager')`,
  `INSERT INTO users (id) SELECT 'user-' || n FROM generate_series(1, ${USERS}) AS n`,
  `INSERT INTO workspaces (id, name) SELECT 'w-' || w, 'w' FROM generate_series(1, ${WORKSPACES}) AS w`,
  `INSERT INTO groups (id, name, workspace_key) SELECT replace(id, 'w', 'g') || '-' || g, 'g', key
   FROM workspaces, generate_series(1, ${GROUPS}) AS g`,
  `INSERT INTO workspace_permissions SELECT w.key, p.key FROM workspaces AS w, permissions AS p
   WHERE w.id ~ '[05]$' AND p.id = 'reading'`,
  `INSERT INTO group_permissions SELECT g.key, p.key FROM groups AS g JOIN permissions AS p
   ON p.id = CASE WHEN g.id ~ '3$' THEN 'managing' ELSE 'reading' END`,
];

const MEMBERSHIPS = `
  SELECT users.id || ' ' || workspaces.id AS pair FROM workspace_memberships
  JOIN users ON users.key = user_key JOIN workspaces ON workspaces.key = workspace_key
  UNION ALL SELECT users.id || ' ' || groups.id FROM group_memberships
  JOIN users ON users.key = user_key JOIN groups ON groups.key = group_key`;

interface Assignment {
  userIds: string[];
  workspaces: string[];
  groups: string[];
}

function drawn(count: number, of: number, name: (number: number) => string): string[] {
  const numbers = new Set<number>();
  while (numbers.size < count) numbers.add(randomInt(1, of + 1));
  return [...numbers].map(name);
}

/** In an order of its own, so that whoever locked as it was told would meet the others head-on. */
function draw(): Assignment {
  const workspaces = drawn(WORKSPACES_IN_REQUEST, WORKSPACES, (number) => `w-${number}`);
  const groups = workspaces.map((workspace) => `${workspace.replace('w', 'g')}-${randomInt(1, GROUPS + 1)}`);
  return { userIds: drawn(USERS_IN_REQUEST, USERS, (number) => `user-${number}`), workspaces, groups };
}

/** Assignments only add, so in whatever order they are done one after the other, they end in the same memberships. */
function outcomeOf(assignments: Assignment[]): Set<string> {
  return new Set(
    assignments.flatMap(({ userIds, workspaces, groups }) =>
      userIds.flatMap((user) => [...workspaces, ...groups].map((place) => `${user} ${place}`)),
    ),
  );
}

async function main(): Promise<void> {
  const times = rounds(10);
  const trial = new Trial(`${REQUESTS} overlapping assignments at once, ${times} times, on two processes`);
  const postgres = await PrivatePostgres.running();
  const environment = { DATABASE_URL: postgres.url, JWT_SECRET: randomBytes(32).toString('hex') };
  const services = [await FaultyService.ready(environment), await FaultyService.ready(environment)];
  const dataSource = await createDataSource({ url: postgres.url, poolSize: 1 }).initialize();
  for (const statement of DIRECTORY) await dataSource.query(statement);
  const replies: Reply[] = [];
  let wrong = 0;
  for (let round = 0; round < times; round++) {
    await dataSource.query('DELETE FROM workspace_memberships');
    await dataSource.query(`UPDATE users SET type = 'guest'`);
    const assignments = Array.from({ length: REQUESTS }, draw);
    const send = (assignment: Assignment, index: number) => {
      const service = services[index % services.length] as FaultyService;
      return call(`${service.url}/api/users/workspace-assign`, {
        body: JSON.stringify(assignment),
        token: service.token,
      });
    };
    replies.push(...(await Promise.all(assignments.map(send))));
    const expected = outcomeOf(assignments);
    const found: { pair: string }[] = await dataSource.query(MEMBERSHIPS);
    wrong += found.length === expected.size && found.every(({ pair }) => expected.has(pair)) ? 0 : 1;
    wrong += (await falseTypes(dataSource)).length;
  }
  await dataSource.destroy();
  const refused = replies.filter(({ status }) => status !== 200);
  trial.expect('errors surfaced', refused.length === 0, tally(replies));
  trial.expect('memberships and types that no order of the requests would give', wrong === 0, wrong);
  trial.finish();
}

void main();
