import { ASSIGNED, STATUS_UPDATED } from '../support/ask';
import { falseTypes } from './false-types';
import { describeOnServer } from '../support/describe-on-server';
import { SeededRandom } from './seeded-random';
import { TwoProcesses } from './two-processes';
import { sealed } from '../support/sealed';

const REQUESTS = 60;
const USERS = Array.from({ length: 20 }, (_, index) => `user-${index}`);
const WORKSPACES = ['atlas', 'borealis', 'cosmos'];

describeOnServer('two processes that start at once on one empty database', () => {
  let both: TwoProcesses;

  beforeAll(async () => {
    both = await TwoProcesses.start({ empty: true });
    const { directory } = both;
    await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
    await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
    for (const user of USERS) await directory.user(user);
  });
  afterAll(() => both.close());

  const ask = (turn: number, path: string, caller: string, body: object) =>
    both.ask(turn, path, both.tokens.tokenOf(caller), body);

  it('serve overlapping assignments as if they were one', async () => {
    const random = new SeededRandom(4);
    const requests = Array.from({ length: REQUESTS }, () => ({
      userIds: random.some(USERS).slice(0, 8),
      workspaces: random.some(WORKSPACES),
    }));

    const answers = await Promise.all(requests.map((request, turn) => ask(turn, 'workspace-assign', 'ada', request)));

    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([ASSIGNED]));
    const { workspaces } = await both.directory.state();
    const asked = requests.flatMap((request) =>
      request.userIds.flatMap((user) => request.workspaces.map((workspace) => `${user} in ${workspace}`)),
    );
    expect(new Set(workspaces)).toEqual(new Set(asked));
    expect(await falseTypes(both.dataSource)).toEqual([]);
  });

  it('make one change and one journal entry from a status token that sixteen callers send', async () => {
    const user = 'user-0';
    const answer = await ask(0, 'status-tokens', 'ada', { id: user, status: 'inactive' });
    const { token: statusToken } = JSON.parse(answer.text) as { token: string };
    const calls = Array.from({ length: 16 }, (_, turn) =>
      ask(turn, 'manage-status', 'zoe', { id: user, token: statusToken }),
    );

    // Who comes later finds the status as it asked for, and is answered the same.
    expect(new Set((await Promise.all(calls)).map(({ text }) => text))).toEqual(new Set([STATUS_UPDATED]));
    const records: unknown[] = await (
      await sealed(both.dataSource)
    ).query(`SELECT before, after FROM journal_entries WHERE user_id = $1 AND action = 'user.status.changed'`, [user]);
    expect(records).toEqual([{ before: { status: 'active' }, after: { status: 'inactive' } }]);
    expect((await ask(0, 'status-tokens', 'ada', { id: user, status: 'active' })).status).toBe(200);
  });

  it('never deactivate the last administrator together', async () => {
    for (let round = 0; round < 10; round++) {
      await both.dataSource.query(`UPDATE users SET status = 'active' WHERE type = 'administrator'`);
      const byService = { id: 'ada', token: both.tokens.serviceToken() };
      const answers = await Promise.all([
        ask(round, 'manage-status', 'user-1', byService),
        ask(round + 1, 'manage-status', 'user-1', { ...byService, id: 'zoe' }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
    await both.dataSource.query(`UPDATE users SET status = 'active' WHERE type = 'administrator'`);
  });

  it('refuse at once the tokens of a user whom the other process has deactivated', async () => {
    const request = { userIds: USERS, workspaces: WORKSPACES };
    expect((await ask(1, 'workspace-assign', 'zoe', request)).status).toBe(200);
    const deactivation = await ask(0, 'manage-status', 'ada', { id: 'zoe', token: both.tokens.tokenOf('ada') });
    expect(deactivation.text).toBe(STATUS_UPDATED);
    expect((await ask(1, 'workspace-assign', 'zoe', request)).status).toBe(401);
  });
});
