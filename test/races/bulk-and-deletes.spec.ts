import { type Answer, ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { load } from './acts';
import { type Entry, replay } from './journal-replay';
import { useReplicas } from './replicas';
import { SeededRandom } from './seeded-random';
import { querySealed } from '../support/sealed';

const WORKERS = 12;
const ACTS_OF_EACH = 15;

const USERS = Array.from({ length: 10 }, (_, index) => `user-${index}`);
const WORKSPACES = ['atlas', 'borealis', 'cosmos'];
const groupOf = (workspace: string) => `${workspace}-editors`;
const PERMITTED: Record<string, string> = { atlas: 'read', borealis: 'administer', cosmos: 'manage' };

/** What an operation may answer while others create and delete what it names. */
const EXPECTED: Record<string, number[]> = {
  'workspace-assign': [200, 400],
  'workspace-unassign': [200, 400, 409],
  'status-assign': [200, 400, 409],
  DELETE: [204, 404, 409],
  POST: [201, 400, 409],
};

describeOnServer('operations on many users, while records are imported, created and deleted', () => {
  const replicas = useReplicas();

  beforeAll(async () => {
    const { directory } = replicas;
    await directory.permission('read', 'member');
    await directory.permission('manage', 'manager');
    await directory.permission('administer', 'administrator');
    await directory.user('root', { type: 'administrator', permissions: ['administer'], status: 'active' });
  });

  function call(turn: number, method: string, path: string, body?: object): Promise<Answer> {
    const service = replicas.at(turn);
    return ask(`${service.url}/api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.serviceToken()}`,
        ...(body && { 'content-type': 'application/json' }),
        prefer: 'handling=lenient, return=representation',
      },
      body: body && JSON.stringify(body),
    });
  }

  const create = (turn: number, kind: string, body: object) => call(turn, 'POST', kind, body);
  const createWorkspace = (turn: number, id: string) =>
    create(turn, 'workspaces', { id, name: id, permissions: [PERMITTED[id]] });
  const createGroup = (turn: number, workspace: string) =>
    create(turn, 'groups', { id: groupOf(workspace), name: 'Editors', workspace, permissions: ['manage'] });

  async function anyAct(turn: number, random: SeededRandom): Promise<[kind: string, answer: Answer] | undefined> {
    const userIds = random.some(USERS).slice(0, 6);
    const workspaces = random.some(WORKSPACES);
    const groups = random.below(2) ? undefined : workspaces.map(groupOf);
    const workspace = random.pick(WORKSPACES);
    const bulk = async (operation: string, body: object): Promise<[string, Answer]> => [
      operation,
      await call(turn, 'POST', `users/${operation}`, body),
    ];
    const acts: (() => Promise<[string, Answer] | undefined>)[] = [
      () => bulk('workspace-assign', { userIds, workspaces, groups }),
      () => bulk('workspace-assign', { userIds, workspaces, groups }),
      () => bulk('workspace-unassign', { userIds, workspaces, groups }),
      () => bulk('status-assign', { userIds, status: random.pick(['active', 'inactive']) }),
      async () => ['DELETE', await call(turn, 'DELETE', `users/${random.pick(USERS)}`)],
      async () => ['DELETE', await call(turn, 'DELETE', `groups/${groupOf(workspace)}`)],
      async () => ['DELETE', await call(turn, 'DELETE', `workspaces/${workspace}`)],
      async () => ['POST', await create(turn, 'users', { id: random.pick(USERS), workspaces: [workspace] })],
      async () => ['POST', await create(turn, 'users', { id: random.pick(USERS) })],
      async () => ['POST', await createWorkspace(turn, workspace)],
      async () => ['POST', await createGroup(turn, workspace)],
      async () => {
        const status = random.pick(['active', 'inactive'] as const);
        await load(
          { workspace: { id: workspace, name: 'Imported' } },
          { user: { id: random.pick(USERS), status, workspaces: [workspace], groups: [] } },
        )(replicas.at(turn));
        return undefined;
      },
    ];
    return random.pick(acts)();
  }

  it('answer as usual, and leave correct types and a complete journal', async () => {
    const random = new SeededRandom(6);
    for (const id of USERS) expect((await create(0, 'users', { id })).status).toBe(201);
    for (const workspace of WORKSPACES) {
      expect((await createWorkspace(0, workspace)).status).toBe(201);
      expect((await createGroup(0, workspace)).status).toBe(201);
    }
    const unexpected: string[] = [];
    let done = 0;
    const work = async (worker: number) => {
      for (let turn = 0; turn < ACTS_OF_EACH; turn++) {
        const [kind = '', answer] = (await anyAct(worker + turn, random)) ?? [];
        if (!answer) continue;
        if (answer.status < 300) done++;
        if (!EXPECTED[kind]?.includes(answer.status)) unexpected.push(`${kind} ${answer.status} ${answer.text}`);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
    expect(unexpected).toEqual([]);
    expect(done).toBeGreaterThan((WORKERS * ACTS_OF_EACH) / 3);
    expect(await replicas.falseTypes()).toEqual([]);

    const entries: Entry[] = await querySealed(
      replicas.both[0].dataSource,
      `SELECT user_id AS user, action, before, after FROM journal_entries WHERE user_id LIKE 'user-%' ORDER BY id`,
    );
    const replayed = replay(entries);
    const { users, workspaces, groups } = await replicas.directory.state();
    expect(replayed.map(({ id, type, status }) => ({ id, type, status }))).toEqual(
      users.filter((user) => (user as { id: string }).id !== 'root'),
    );
    expect(new Set(replayed.flatMap(({ id, places }) => [...places].map((place) => `${id} in ${place}`)))).toEqual(
      new Set([...workspaces, ...groups]),
    );
  });
});
