import { describeOnServer } from '../support/describe-on-server';
import { call } from '../support/record-calls';
import {
  bring,
  byService,
  create,
  patch,
  put,
  type RecordAct,
  remove,
  replicasForRecordActs,
  toggle,
} from './record-acts';

interface Race {
  title: string;
  acts: [RecordAct, RecordAct];
  /** What they are answered, whichever of them comes first. */
  answers: [firstFirst: number[], lastFirst: number[]];
}

/** The one that comes first holds what the other one needs, and both wait for the rows of users. */
const RACES: Race[] = [
  {
    title: 'the deletion of a workspace and an assignment to it',
    acts: [remove('/api/workspaces/atlas'), put(['ben'], ['atlas'], ['atlas-editors'])],
    answers: [
      [204, 400],
      [204, 200],
    ],
  },
  {
    title: 'the deletion of a group and an assignment to it',
    acts: [remove('/api/groups/atlas-editors'), put(['ben'], ['atlas'], ['atlas-editors'])],
    answers: [
      [204, 400],
      [204, 200],
    ],
  },
  {
    title: 'the deletion of a workspace and a change of what its group permits',
    acts: [remove('/api/workspaces/atlas'), patch('/api/groups/atlas-editors', { permissions: ['read'] })],
    answers: [
      [204, 404],
      [204, 200],
    ],
  },
  {
    title: 'the deletion of a workspace and an import that names only its group',
    acts: [remove('/api/workspaces/atlas'), bring({ user: { id: 'ann', groups: ['atlas-editors'] } })],
    answers: [
      [204, 400],
      [204, 200],
    ],
  },
  {
    title: 'the deletion of a user and the assignment of that user',
    acts: [remove('/api/users/ben'), put(['ben'], ['atlas'])],
    answers: [
      [204, 400],
      [204, 200],
    ],
  },
  {
    title: 'the deletion of a user and a change of the status',
    acts: [remove('/api/users/ben'), toggle('ben')],
    answers: [
      [204, 401],
      [204, 200],
    ],
  },
  {
    title: 'the deletion of a member and of the workspace',
    acts: [remove('/api/users/ann'), remove('/api/workspaces/atlas')],
    answers: [
      [204, 204],
      [204, 204],
    ],
  },
  {
    title: 'a change of what a permission grants and an assignment to a workspace that has it',
    acts: [patch('/api/permissions/read', { grants: 'manager' }), put(['ben', 'ann'], ['atlas'])],
    answers: [
      [200, 200],
      [200, 200],
    ],
  },
  {
    title: 'the deletion of a permission and an assignment to a workspace that has it',
    acts: [remove('/api/permissions/read'), put(['ben', 'ann'], ['atlas'])],
    answers: [
      [204, 200],
      [204, 200],
    ],
  },
  {
    title: 'a change of what a permission grants and a grant of it',
    acts: [patch('/api/permissions/read', { grants: 'manager' }), patch('/api/users/ben', { permissions: ['read'] })],
    answers: [
      [200, 200],
      [200, 200],
    ],
  },
  {
    title: 'the deletion of a permission and a grant of it',
    acts: [remove('/api/permissions/read'), patch('/api/users/ben', { permissions: ['read'] })],
    answers: [
      [204, 400],
      [204, 200],
    ],
  },
  {
    title: 'a change of what a workspace permits and an assignment to it',
    acts: [patch('/api/workspaces/atlas', { permissions: ['manage'] }), put(['ben'], ['atlas'])],
    answers: [
      [200, 200],
      [200, 200],
    ],
  },
];

describeOnServer('changes of records on two replicas', () => {
  const replicas = replicasForRecordActs();

  describe.each(RACES)('$title', ({ acts, answers }) => {
    it('leave correct types', async () => expect(await meet(acts)).toEqual(answers[0]));
    it('leave correct types in the other order', async () => {
      expect((await meet(acts.toReversed())).toReversed()).toEqual(answers[1]);
    });
  });

  /** Lets each act come as far as it can, one after the other; then lets go of all at once. */
  async function meet(acts: RecordAct[]): Promise<number[]> {
    const gate = await replicas.gate(`SELECT FROM users WHERE id <> 'ada' FOR UPDATE`);
    return gate.inTurn(...acts.map((act, turn) => () => act(replicas.at(turn))));
  }

  const last: [string, RecordAct, RecordAct][] = [
    ['both are deleted', remove('/api/users/ada'), remove('/api/users/zoe')],
    [
      'one is deleted, and one loses the permission',
      remove('/api/users/ada'),
      patch('/api/users/zoe', { permissions: null }),
    ],
    ['one is deleted, and one deactivated', remove('/api/users/ada'), toggle('zoe')],
  ];

  it.each(last)('of two administrators, one remains when %s', async (_, one, other) => {
    const gate = await replicas.gate('SELECT FROM administrator_guard FOR UPDATE');
    const answers = await gate.inTurn(
      () => one(replicas.at(0)),
      () => other(replicas.at(1)),
    );
    expect(answers.filter((status) => status === 409)).toHaveLength(1);
    const { users } = await replicas.directory.state();
    expect(users.filter((user) => isActiveAdministrator(user))).toHaveLength(1);
  });

  it.each([
    ['the deletion of a workspace', remove('/api/workspaces/atlas')],
    ['a change of what a workspace permits', patch('/api/workspaces/atlas', { permissions: ['manage'] })],
    ['a change of what a permission grants', patch('/api/permissions/read', { grants: 'manager' })],
    ['the deletion of a permission', remove('/api/permissions/read')],
  ])('%s delays no reader, and no writer of other rows', async (_, act) => {
    await replicas.directory.workspace('borealis', ['manage']);
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'zoe' FOR UPDATE`);
    const running = act(replicas.at(0));
    await gate.waitFor(1);
    const other = replicas.at(1);
    expect(await put(['ben'], ['borealis'])(other)).toBe(200);
    expect(await toggle('ben')(other)).toBe(200);
    expect(await create('/api/users', { workspaces: ['borealis'] })(other)).toBe(201);
    for (const path of [
      '/api/users?workspace=atlas',
      '/api/workspaces/atlas',
      '/api/users/ann/permissions',
      '/api/journal',
    ])
      expect((await call(other, 'GET', path, byService(other))).status).toBe(200);
    await gate.open();
    expect([200, 204]).toContain(await running);
  });

  it('concurrent requests that create the same id make one record', async () => {
    const body = { id: 'new', email: 'new@example.com' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => create('/api/users', body)(replicas.at(turn))),
    );
    expect(answers.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    // Each of the others failed by the constraint.
    replicas.takeFailures();
  });
});

function isActiveAdministrator(user: object): boolean {
  return 'type' in user && user.type === 'administrator' && 'status' in user && user.status === 'active';
}
