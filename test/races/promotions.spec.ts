import type { UserType } from '../../src/contract/directory';
import { type Act, grant, load, put, revoke, takeOut } from './acts';
import { describeOnServer } from '../support/describe-on-server';
import { useReplicas } from './replicas';
import { SeededRandom } from './seeded-random';

const ROUNDS = 30;
const AT_ONCE = 8;

interface Race {
  title: string;
  /** What holds beforehand. Ann is in atlas from the start, and in the group atlas-editors. */
  before?: Act[];
  acts: [Act, Act];
  /** What ben is in the end, whoever comes first. */
  ben?: UserType;
}

/** Both come as far as ben's own row, each unaware of what the other has written. */
const MEETING_AT_A_USER: Race[] = [
  {
    title: 'a grant to a user and another to the same user',
    acts: [grant('user', 'ben', 'administer'), grant('user', 'ben', 'read')],
    ben: 'administrator',
  },
  {
    title: 'a grant to one workspace and a grant to another',
    before: [put(['ben'], ['atlas', 'borealis'])],
    acts: [grant('workspace', 'atlas', 'administer'), grant('workspace', 'borealis', 'manage')],
    ben: 'administrator',
  },
  {
    title: 'a grant to a workspace and a grant to its group',
    before: [put(['ben'], ['atlas'], ['atlas-editors'])],
    acts: [grant('workspace', 'atlas', 'manage'), grant('group', 'atlas-editors', 'administer')],
    ben: 'administrator',
  },
  {
    title: 'a grant to a workspace and a grant to its member',
    before: [put(['ben'], ['atlas'])],
    acts: [grant('workspace', 'atlas', 'administer'), grant('user', 'ben', 'manage')],
    ben: 'administrator',
  },
  {
    title: 'a grant to a workspace and the assignment of its member to another',
    before: [put(['ben'], ['atlas'])],
    acts: [grant('workspace', 'atlas', 'administer'), put(['ben'], ['managed'])],
    ben: 'administrator',
  },
  {
    title: 'a grant to a user and the assignment of that user',
    acts: [grant('user', 'ben', 'administer'), put(['ben'], ['managed'])],
    ben: 'administrator',
  },
  {
    title: 'an assignment and another assignment of the same user',
    acts: [put(['ben'], ['administered']), put(['ben'], ['managed'])],
    ben: 'administrator',
  },
  {
    title: 'a grant to a workspace and the unassignment of its member from another',
    before: [put(['ben'], ['atlas', 'managed'])],
    acts: [grant('workspace', 'atlas', 'administer'), takeOut(['ben'], ['managed'])],
    ben: 'administrator',
  },
  {
    title: 'a revocation from a workspace and a lesser grant to its member',
    before: [put(['ben'], ['administered'])],
    acts: [revoke('workspace', 'administered', 'administer'), grant('user', 'ben', 'manage')],
    ben: 'manager',
  },
  {
    title: 'an assignment that does not raise a user and a revocation that lowers the same user',
    before: [grant('user', 'ben', 'administer')],
    acts: [put(['ben'], ['managed']), revoke('user', 'ben', 'administer')],
    ben: 'manager',
  },
  {
    title: 'an assignment to a workspace and the unassignment of the same user from one that grants more',
    before: [put(['ben'], ['administered'])],
    acts: [put(['ben'], ['managed']), takeOut(['ben'], ['administered'])],
    ben: 'manager',
  },
  {
    title: 'an assignment to a workspace and the revocation of more from another one of the same user',
    before: [put(['ben'], ['administered'])],
    acts: [put(['ben'], ['managed']), revoke('workspace', 'administered', 'administer')],
    ben: 'manager',
  },
  {
    title: 'an assignment to a workspace and an import that takes more from the same user',
    before: [grant('user', 'ben', 'administer')],
    acts: [put(['ben'], ['managed']), load({ user: { id: 'ben', permissions: [] } })],
    ben: 'manager',
  },
];

/** Whoever comes second waits for the place itself, before any user. */
const MEETING_AT_A_PLACE: Race[] = [
  {
    title: 'a grant to a workspace and an assignment into it',
    before: [put(['ben'], ['atlas'])],
    acts: [grant('workspace', 'atlas', 'manage'), put(['ben', 'cyd'], ['atlas'])],
    ben: 'manager',
  },
  {
    title: 'a grant to a group and an assignment into it',
    before: [put(['ben'], ['atlas'], ['atlas-editors'])],
    acts: [grant('group', 'atlas-editors', 'manage'), put(['ben', 'cyd'], ['atlas'], ['atlas-editors'])],
    ben: 'manager',
  },
  {
    title: 'a grant to a workspace and an unassignment from it',
    before: [put(['ben'], ['atlas'])],
    acts: [grant('workspace', 'atlas', 'manage'), takeOut(['ben'], ['atlas'])],
    ben: 'guest',
  },
  {
    title: 'a grant to a workspace and a revocation from it',
    before: [put(['ben'], ['atlas'])],
    acts: [grant('workspace', 'atlas', 'manage'), revoke('workspace', 'atlas', 'manage')],
  },
  {
    title: 'an import of a workspace and an assignment into it',
    acts: [
      load({ workspace: { id: 'atlas', name: 'Atlas', permissions: ['manage'] } }),
      put(['ben', 'cyd'], ['atlas', 'borealis']),
    ],
    ben: 'manager',
  },
  {
    title: 'an import of what a permission grants and an assignment into a workspace that has it',
    before: [put(['ann'], ['managed'])],
    acts: [load({ permission: { id: 'manage', grants: 'administrator' } }), put(['ben', 'cyd'], ['managed'])],
    ben: 'administrator',
  },
  {
    title: 'an import of what a permission grants and a grant of it',
    before: [put(['ann'], ['managed']), put(['ben'], ['atlas'])],
    acts: [load({ permission: { id: 'manage', grants: 'administrator' } }), grant('workspace', 'atlas', 'manage')],
    ben: 'administrator',
  },
  {
    title: 'an import that puts a user into a group and a grant to that group',
    acts: [
      load({ user: { id: 'ben', workspaces: ['atlas'], groups: ['atlas-editors'] } }),
      grant('group', 'atlas-editors', 'manage'),
    ],
    ben: 'manager',
  },
];

describeOnServer('a promotion that races another change', () => {
  const replicas = useReplicas();

  beforeEach(async () => {
    const { directory } = replicas;
    await directory.clear();
    await directory.permission('read', 'member');
    await directory.permission('manage', 'manager');
    await directory.permission('administer', 'administrator');
    await directory.workspace('atlas');
    await directory.workspace('borealis');
    await directory.workspace('managed', ['manage']);
    await directory.workspace('administered', ['administer']);
    await directory.group('atlas-editors', 'atlas');
    for (const user of ['ann', 'ben', 'cyd']) await directory.user(user);
    await directory.user('root', { type: 'administrator', permissions: ['administer'] });
    await put(['ann'], ['atlas'], ['atlas-editors'])(replicas.at(0));
  });

  describe.each(MEETING_AT_A_USER)('$title', (race) => {
    it('leaves correct types', () => meet(race, race.acts, ['ben']));
    it('leaves correct types in the other order', () => meet(race, race.acts.toReversed(), ['ben']));
  });

  describe.each(MEETING_AT_A_PLACE)('$title', (race) => {
    it('leaves correct types', () => meet(race, race.acts, ['ann', 'ben'], 1));
    it('leaves correct types in the other order', () => meet(race, race.acts.toReversed(), ['ann', 'ben'], 1));
  });

  it('leaves correct types in any interleaving', async () => {
    const random = new SeededRandom(2);
    const users = ['ann', 'ben', 'cyd'];
    const places = ['atlas', 'borealis', 'managed', 'administered'];
    const permissions = ['read', 'manage', 'administer'];
    const acts: (() => Act)[] = [
      () => grant('workspace', random.pick(places), ...random.some(permissions)),
      () => revoke('workspace', random.pick(places), ...random.some(permissions)),
      () => grant('group', 'atlas-editors', random.pick(permissions)),
      () => revoke('group', 'atlas-editors', ...random.some(permissions)),
      () => grant('user', random.pick(users), random.pick(permissions)),
      () => revoke('user', random.pick(users), ...random.some(permissions)),
      () => put(random.some(users), random.some(places)),
      () => put(random.some(users), ['atlas', random.pick(places)], ['atlas-editors']),
      () => takeOut(random.some(users), random.some(places)),
    ];

    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => random.pick(acts)()(replicas.at(turn))));
      expect(await replicas.falseTypes()).toEqual([]);
    }
    expect(replicas.takeFailures()).toEqual([]);
  });

  /**
   * Lets each act, at its own replica, come as far as these users' rows or a lock before them; then lets go of all at once.
   *
   * @param held how many of them wait for these rows; the others wait for the first one
   */
  async function meet({ before = [], ben }: Race, acts: Act[], users: string[], held?: number): Promise<void> {
    for (const act of before) await act(replicas.at(0));
    const gate = await replicas.gate('SELECT FROM users WHERE id = ANY($1) FOR UPDATE', [users]);
    const running: Promise<void>[] = [];
    try {
      for (const [turn, act] of acts.entries()) {
        running.push(act(replicas.at(turn)));
        await gate.waitFor(turn + 1);
      }
      if (held) expect(await gate.holding()).toBe(held);
    } finally {
      await gate.open();
      await Promise.allSettled(running);
    }
    await Promise.all(running);
    expect(await replicas.falseTypes()).toEqual([]);
    expect(replicas.takeFailures()).toEqual([]);
    if (ben) expect(await replicas.directory.typeOf('ben')).toBe(ben);
  }
});
