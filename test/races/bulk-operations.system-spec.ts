import { describeOnServer } from '../support/describe-on-server';
import { falseTypes } from './false-types';
import { type Entry, replay } from './journal-replay';
import { SeededRandom } from './seeded-random';
import { TwoProcesses } from './two-processes';
import { querySealed } from '../support/sealed';

const REQUESTS = 120;
const USERS = Array.from({ length: 12 }, (_, index) => `user-${index}`);
const WORKSPACES = ['atlas', 'borealis', 'cosmos'];
const GROUPS = WORKSPACES.map((workspace) => `${workspace}-editors`);
const ADMINISTRATORS = ['ada', 'zoe', 'eva'];
const LAST = '{"status":409,"message":"At least one active administrator must remain."}';

describeOnServer('assignments, unassignments and status changes on two processes', () => {
  let both: TwoProcesses;

  beforeAll(async () => {
    both = await TwoProcesses.start();
    const { directory } = both;
    await directory.workspace('staff', ['administer']);
    for (const [index, group] of GROUPS.entries())
      await directory.group(group, WORKSPACES[index] ?? '', index === 2 ? ['manage'] : []);
    for (const user of USERS) await directory.user(user);
  });
  afterAll(() => both.close());
  afterEach(async () => expect(await falseTypes(both.dataSource)).toEqual([]));

  const ask = (turn: number, path: string, body: object) =>
    both.ask(turn, path, both.tokens.serviceToken(), body, 'return=representation');

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

    const entries: Entry[] = await querySealed(
      both.dataSource,
      `SELECT user_id AS user, action, before, after FROM journal_entries WHERE user_id LIKE 'user-%' ORDER BY id`,
    );
    const told = answers.flatMap(({ text }) => (JSON.parse(text) as { result: { users: object[] } }).result.users);
    // Places and types are entries of their own.
    const isOfType = (entry: Entry) => entry.action === 'user.type.changed';
    expect(told.filter((user) => !('workspaces' in user) || countOf(user) > 0)).toHaveLength(
      entries.filter((entry) => !isOfType(entry)).length,
    );
    expect(told.filter((user) => 'type' in user)).toHaveLength(entries.filter(isOfType).length);
    const { users, workspaces, groups } = await both.directory.state();
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
      await both.dataSource.query(`DELETE FROM users WHERE id = ANY ($1)`, [ADMINISTRATORS]);
      for (const id of ADMINISTRATORS) {
        await both.directory.user(id, { type: 'administrator' });
        await both.directory.member(id, 'staff');
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
      const left: { id: string }[] = await both.dataSource.query(
        `SELECT id FROM users WHERE type = 'administrator' AND status = 'active' ORDER BY id`,
      );
      const kept = halves[answers.findIndex(({ status }) => status === 409)] ?? [];
      expect(left.map(({ id }) => id)).toEqual(kept.toSorted());
    }
  });

  it('refuse at once the tokens of a user whom the other process has deactivated', async () => {
    await both.directory.user('max', { type: 'administrator', permissions: ['administer'] });
    const deactivate = (turn: number) =>
      both.ask(turn, 'status-assign', both.tokens.tokenOf('max'), { userIds: ['max'], status: 'inactive' });
    expect((await deactivate(0)).status).toBe(200);
    expect((await deactivate(1)).status).toBe(401);
  });
});

function countOf(user: object): number {
  const { workspaces = [], groups = [] } = user as { workspaces?: string[]; groups?: string[] };
  return workspaces.length + groups.length;
}
