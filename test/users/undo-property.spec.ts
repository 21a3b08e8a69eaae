import { AssignStatusesService } from '../../src/users/assign-statuses.service';
import { AssignWorkspacesService } from '../../src/users/assign-workspaces.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { UndoRequestService } from '../../src/users/undo-request.service';
import { falseTypes } from '../races/false-types';
import { SeededRandom } from '../races/seeded-random';
import { newestEntries } from '../support/sealed';
import { useTestService } from '../support/test-service';

const REQUESTS = 500;
const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;
const USERS = ['ada', 'ben', 'cyd', 'dee', 'eve', 'fay'];
const WORKSPACES = ['atlas', 'borealis', 'cosmos'];
const GROUPS = WORKSPACES.flatMap((workspace) => [`${workspace}-1`, `${workspace}-2`]);
const workspaceOf = (group: string) => group.split('-')[0] as string;

const service = useTestService();

/** The facts that can be undone: `ben in atlas`, `ben in atlas-1`, `ben active`. */
async function facts(): Promise<Set<string>> {
  const { users, workspaces, groups } = await service.directory.state();
  const statuses = (users as { id: string; status: string }[])
    .filter(({ status }) => status === 'active')
    .map(({ id, status }) => `${id} ${status}`);
  return new Set([...statuses, ...workspaces, ...groups]);
}

/** Makes a random change. */
async function request(random: SeededRandom): Promise<void> {
  const { app } = service;
  const [userIds, workspaces] = [random.some(USERS), random.some(WORKSPACES)];
  const groups = random.below(2) ? random.some(GROUPS.filter((group) => workspaces.includes(workspaceOf(group)))) : [];
  const kind = random.below(5);
  if (kind < 2) await app.get(AssignWorkspacesService).execute({ userIds, workspaces, groups }, ACT);
  else if (kind < 4) await app.get(UnassignUsersService).execute({ userIds, workspaces, groups }, ACT);
  else {
    const status = random.pick(['active', 'inactive'] as const);
    await app.get(AssignStatusesService).execute({ userIds, status }, ACT);
  }
}

async function undo(entry: string | undefined): Promise<void> {
  if (entry !== undefined) await service.app.get(UndoRequestService).execute(entry, {}, ACT);
}

/** The facts after undoing: those that the request changed are as before it, unless the other request changed them as well. */
function expected(before: Set<string>, between: Set<string>, after: Set<string>): Set<string> {
  const all = new Set([...before, ...between, ...after]);
  const isUndone = (fact: string) => before.has(fact) !== between.has(fact) && between.has(fact) === after.has(fact);
  const wanted = new Set([...all].filter((fact) => (isUndone(fact) ? before : after).has(fact)));
  for (const user of USERS) {
    for (const group of GROUPS) {
      const [place, fact] = [`${user} in ${workspaceOf(group)}`, `${user} in ${group}`];
      if (!wanted.has(fact) || wanted.has(place)) continue;
      // A group that stays keeps its workspace, and one that would come back does not.
      if (after.has(fact)) wanted.add(place);
      else wanted.delete(fact);
    }
  }
  return wanted;
}

beforeAll(async () => {
  const { directory } = service;
  await directory.permission('read', 'member');
  await directory.permission('manage', 'manager');
  await directory.permission('administer', 'administrator');
  for (const workspace of WORKSPACES) await directory.workspace(workspace, workspace === 'atlas' ? ['read'] : []);
  for (const group of GROUPS) {
    await directory.group(group, workspaceOf(group), group.endsWith('1') ? ['manage'] : ['administer']);
  }
  for (const user of USERS) await directory.user(user);
  // Somebody remains an administrator, whatever happens to the others.
  await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
});

it(`${REQUESTS} random requests are undone exactly, and what others have changed stays`, async () => {
  const random = new SeededRandom(28);
  let changed = 0;
  let before = await facts();
  for (let count = 0; count < REQUESTS; count++) {
    const [newest] = await newestEntries(service.dataSource, 1);
    await request(random);
    const [entry] = await newestEntries(service.dataSource, 1);
    const between = await facts();
    if (random.below(2)) await request(random);
    const after = await facts();
    // Nothing was recorded for a request that changed nothing.
    const isRecorded = entry?.id !== newest?.id;
    if (isRecorded) changed += 1;
    await undo(isRecorded ? entry?.id : undefined);
    const wanted = expected(before, between, after);
    before = await facts();
    expect([count, [...before].sort()]).toEqual([count, [...wanted].sort()]);
  }
  expect(changed).toBeGreaterThan(REQUESTS / 2);
  expect(await falseTypes(service.dataSource)).toEqual([]);
});
