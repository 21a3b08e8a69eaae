import { assign, ASSIGNED } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { Replicas } from './replicas';
import { SeededRandom } from './seeded-random';

const REQUESTS = 120;
const USERS = Array.from({ length: 30 }, (_, index) => `user-${index}`);
const WORKSPACES = ['atlas', 'borealis', 'cosmos', 'dorado'];
const GROUPS = WORKSPACES.flatMap((workspace) => [`${workspace}-editors`, `${workspace}-managers`]);

describeOnServer('overlapping assignments on two replicas', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await Replicas.start();
    const { directory } = replicas;
    await directory.permission('read', 'member');
    await directory.permission('manage', 'manager');
    for (const workspace of WORKSPACES) {
      await directory.workspace(workspace, workspace === 'atlas' ? [] : ['read']);
      await directory.group(`${workspace}-editors`, workspace);
      await directory.group(`${workspace}-managers`, workspace, ['manage']);
    }
    for (const user of USERS) await directory.user(user);
  });
  afterAll(() => replicas.close());

  it('all succeed without a deadlock, and together leave all memberships that they asked for', async () => {
    const random = new SeededRandom(1);
    const requests = Array.from({ length: REQUESTS }, () => {
      const workspaces = random.some(WORKSPACES);
      const within = GROUPS.filter((group) => workspaces.some((workspace) => group.startsWith(workspace)));
      const groups = random.below(3) === 0 ? undefined : random.some(within);
      return { userIds: random.some(USERS).slice(0, 12), workspaces, groups };
    });

    const answers = await Promise.all(
      requests.map((request, turn) => assign(replicas.at(turn), replicas.at(turn).serviceToken(), request)),
    );

    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([ASSIGNED]));
    const { workspaces, groups } = await replicas.directory.state();
    expect(new Set(workspaces)).toEqual(new Set(requests.flatMap((r) => memberships(r.userIds, r.workspaces))));
    expect(new Set(groups)).toEqual(new Set(requests.flatMap((r) => memberships(r.userIds, r.groups ?? []))));
    expect(await replicas.falseTypes()).toEqual([]);
    expect(replicas.takeFailures()).toEqual([]);
  });
});

function memberships(users: string[], places: string[]): string[] {
  return users.flatMap((user) => places.map((place) => `${user} in ${place}`));
}
