import { ServiceError } from '../../src/contract/errors';
import { manageStatus } from '../support/ask';
import { type Act, grant, load, put, revoke, setStatus, takeOut, undoNewest } from './acts';
import { describeOnServer } from '../support/describe-on-server';
import { useReplicas } from './replicas';
import { SeededRandom } from './seeded-random';

const WORKERS = 16;
const ACTS_OF_EACH = 18;

const USERS = Array.from({ length: 20 }, (_, index) => `user-${index}`);
const WORKSPACES = ['atlas', 'borealis', 'cosmos'];
const GROUPS = WORKSPACES.map((workspace) => `${workspace}-editors`);
const PERMISSIONS = ['read', 'manage', 'administer'];

describeOnServer('all kinds of requests at once on two replicas', () => {
  const replicas = useReplicas();

  beforeAll(async () => {
    const { directory } = replicas;
    await directory.permission('read', 'member');
    await directory.permission('manage', 'manager');
    await directory.permission('administer', 'administrator');
    for (const workspace of WORKSPACES) {
      await directory.workspace(workspace);
      await directory.group(`${workspace}-editors`, workspace);
    }
    for (const user of USERS) await directory.user(user, { type: 'administrator', permissions: ['administer'] });
  });

  it('meet no deadlock, never fail, and leave an administrator and correct types', async () => {
    const random = new SeededRandom(3);
    const refusals: string[] = [];
    const work = async (worker: number) => {
      for (let turn = 0; turn < ACTS_OF_EACH; turn++) {
        await anyAct(random)(replicas.at(worker + turn)).catch((error: unknown) => {
          refusals.push(error instanceof ServiceError ? error.code : String(error));
        });
      }
    };

    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));

    expect([...new Set(refusals), 'directory.last_administrator']).toEqual(['directory.last_administrator']);
    expect(replicas.takeFailures()).toEqual([]);
    expect(await replicas.falseTypes()).toEqual([]);
    const { users } = await replicas.directory.state();
    expect(users).toContainEqual(expect.objectContaining({ type: 'administrator', status: 'active' }));
  });
});

function anyAct(random: SeededRandom): Act {
  const permissions = random.some(PERMISSIONS);
  const users = random.some(USERS).slice(0, 8);
  const workspaces = random.some(WORKSPACES);
  const acts: (() => Act)[] = [
    () => put(users, workspaces),
    () => put(users, WORKSPACES, random.some(GROUPS)),
    () => takeOut(users, workspaces),
    () => takeOut(users, WORKSPACES, random.some(GROUPS)),
    () => setStatus(users, random.pick(['active', 'inactive'])),
    () => toggle(random.pick(USERS)),
    () => undoNewest,
    () => grant('workspace', random.pick(WORKSPACES), ...permissions),
    () => revoke('workspace', random.pick(WORKSPACES), ...permissions),
    () => grant('group', random.pick(GROUPS), ...permissions),
    () => revoke('group', random.pick(GROUPS), ...permissions),
    () => grant('user', random.pick(USERS), ...permissions),
    () => revoke('user', random.pick(USERS), ...permissions),
    () =>
      load(
        { permission: { id: 'read', grants: random.pick(['guest', 'member', 'manager']) } },
        { workspace: { id: random.pick(WORKSPACES), name: 'Imported', permissions } },
        { user: { id: random.pick(USERS), workspaces, groups: workspaces.map((id) => `${id}-editors`), permissions } },
      ),
  ];
  return random.pick(acts)();
}

function toggle(id: string): Act {
  return async (service) => {
    const token = service.serviceToken();
    const { status, text } = await manageStatus(service, token, { id, token });
    if (status === 409) throw new ServiceError('directory.last_administrator');
    if (status !== 200) throw new Error(`${status}: ${text}`);
  };
}
