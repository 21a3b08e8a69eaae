import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { signAccessToken } from '../../src/auth/sign-access-token';
import { createDataSource } from '../../src/database/data-source';
import type { OpenedDatabase } from '../../src/database/open-database';
import { DirectoryBuilder } from '../support/directory-builder';
import { openTestDatabase } from '../support/test-database';
import { type Answer, post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { ServiceProcess } from '../support/service-process';
import { falseTypes } from './false-types';
import { type Entry, replay } from './journal-replay';
import { SeededRandom } from './seeded-random';

const REQUESTS = 120;
const USERS = Array.from({ length: 12 }, (_, index) => `user-${index}`);
const WORKSPACES = ['atlas', 'borealis', 'cosmos'];
const GROUPS = WORKSPACES.map((workspace) => `${workspace}-editors`);
const ADMINISTRATORS = ['ada', 'zoe', 'eva'];
const SECRET = randomBytes(32).toString('hex');
const LAST = '{"status":409,"message":"At least one active administrator must remain."}';

describeOnServer('overlapping assignments, unassignments and status changes on two processes', () => {
  let database: OpenedDatabase;
  let dataSource: DataSource;
  let directory: DirectoryBuilder;
  let processes: ServiceProcess[];

  beforeAll(async () => {
    database = await openTestDatabase();
    const environment = { DATABASE_URL: database.url, JWT_SECRET: SECRET, FAIR_USE_PER_CALLER: '0', LOG_LEVEL: 'warn' };
    processes = await Promise.all([ServiceProcess.start(environment), ServiceProcess.start(environment)]);
    for (const one of processes) await one.until(200, '/health/ready');
    dataSource = await createDataSource(database).initialize();
    directory = new DirectoryBuilder(dataSource);
    await directory.permission('read', 'member');
    await directory.permission('manage', 'manager');
    await directory.permission('administer', 'administrator');
    await directory.workspace('atlas', ['read']);
    await directory.workspace('borealis', ['manage']);
    await directory.workspace('cosmos');
    await directory.workspace('staff', ['administer']);
    for (const [index, group] of GROUPS.entries())
      await directory.group(group, WORKSPACES[index] ?? '', index === 2 ? ['manage'] : []);
    for (const user of USERS) await directory.user(user);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await dataSource.destroy();
    await database.close();
  });
  afterEach(async () => expect(await falseTypes(dataSource)).toEqual([]));

  function ask(turn: number, path: string, body: object): Promise<Answer> {
    const token = signAccessToken(
      { key: { kind: 'secret', secret: SECRET } },
      { sub: 'calling-service', scope: 'users:administer', expiresIn: 300 },
    );
    return post(`${processes[turn % 2]?.url}/api/users/${path}`, body, {
      authorization: `Bearer ${token}`,
      prefer: 'return=representation',
    });
  }

  it('all succeed, and the journal has their changes in order', async () => {
    const random = new SeededRandom(5);
    const requests = Array.from({ length: REQUESTS }, () => {
      const userIds = random.some(USERS).slice(0, 6);
      const operation = random.pick(['workspace-assign', 'workspace-unassign', 'status-assign']);
      if (operation === 'status-assign')
        return { operation, body: { userIds, status: random.pick(['active', 'inactive']) } };
      const groups = random.below(2) === 0 ? undefined : random.some(GROUPS);
      return { operation, body: { userIds, workspaces: groups ? WORKSPACES : random.some(WORKSPACES), groups } };
    });
    const answers = await Promise.all(requests.map(({ operation, body }, turn) => ask(turn, operation, body)));
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);

    const entries: Entry[] = await dataSource.query(
      `SELECT user_id AS user, action, before, after FROM journal_entries WHERE user_id LIKE 'user-%' ORDER BY id`,
    );
    const told = answers.flatMap(({ text }) => (JSON.parse(text) as { result: { users: object[] } }).result.users);
    // Places and types are entries of their own.
    const isOfType = (entry: Entry) => entry.action === 'user.type.changed';
    expect(told.filter((user) => !('workspaces' in user) || countOf(user) > 0)).toHaveLength(
      entries.filter((entry) => !isOfType(entry)).length,
    );
    expect(told.filter((user) => 'type' in user)).toHaveLength(entries.filter(isOfType).length);
    const { users, workspaces, groups } = await directory.state();
    const replayed = replay(entries, USERS);
    expect(replayed.map(({ id, type, status }) => ({ id, type, status }))).toEqual(
      expect.arrayContaining(users.filter((user) => USERS.includes((user as { id: string }).id))),
    );
    expect(new Set(replayed.flatMap(({ id, places }) => [...places].map((place) => `${id} in ${place}`)))).toEqual(
      new Set([...workspaces, ...groups].filter((line) => line.startsWith('user-'))),
    );
  });

  it('never remove the last administrator together, in any combination', async () => {
    for (let round = 0; round < 12; round++) {
      await dataSource.query(`DELETE FROM users WHERE id = ANY ($1)`, [ADMINISTRATORS]);
      for (const id of ADMINISTRATORS) {
        await directory.user(id, { type: 'administrator' });
        await directory.member(id, 'staff');
      }
      const halves = [ADMINISTRATORS.slice(0, 1 + (round % 2)), ADMINISTRATORS.slice(1 + (round % 2))];
      const answers = await Promise.all(
        halves.map((userIds, turn) =>
          (round + turn) % 3 === 0
            ? ask(turn, 'workspace-unassign', { userIds, workspaces: ['staff'] })
            : ask(turn, 'status-assign', { userIds: [...userIds, 'user-1'], status: 'inactive' }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.text).toBe(LAST);
      const left: { id: string }[] = await dataSource.query(
        `SELECT id FROM users WHERE type = 'administrator' AND status = 'active' ORDER BY id`,
      );
      const kept = halves[answers.findIndex(({ status }) => status === 409)] ?? [];
      expect(left.map(({ id }) => id)).toEqual(kept.toSorted());
    }
  });
});

function countOf(user: object): number {
  const { workspaces = [], groups = [] } = user as { workspaces?: string[]; groups?: string[] };
  return workspaces.length + groups.length;
}
