import { type Answer, ASSIGNED, post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { useReplicas } from './replicas';
import { querySealed } from '../support/sealed';

const USER_INVALID = '{"status":400,"message":"Please select a valid User."}';
const WORKSPACE_INVALID = '{"status":400,"message":"Please select a valid Workspace."}';
const GROUP_INVALID = '{"status":400,"message":"Please select a valid Group."}';

/**
 * A record that is committed while the request waits for another one: the lock did not find it, and a look afterwards would.
 * A request that counts what it locked and then looks again would write nothing and answer 200.
 */
describeOnServer('a record that is created or deleted while a request waits', () => {
  const replicas = useReplicas();

  beforeEach(async () => {
    const { directory } = replicas;
    await directory.clear();
    for (const workspace of ['atlas', 'borealis']) await directory.workspace(workspace);
    await directory.group('editors', 'atlas');
    await directory.user('ann');
    await replicas.query('DELETE FROM idempotency_keys');
  });

  const both = { userIds: ['ann', 'new'], workspaces: ['atlas', 'new'], groups: ['editors', 'new'] };

  const assigning = (body: object, key: string) => calling('workspace-assign', body, key);

  function calling(operation: string, body: object, key: string, prefer?: string): Promise<Answer> {
    const [{ url, serviceToken }] = replicas.both;
    return post(`${url}/api/users/${operation}`, body, {
      authorization: `Bearer ${serviceToken()}`,
      'idempotency-key': key,
      prefer,
    });
  }

  async function entries(): Promise<number> {
    const rows: unknown[] = await querySealed(replicas.both[0].dataSource, 'SELECT FROM journal_entries');
    return rows.length;
  }

  it.each([
    ['user', { userIds: both.userIds, workspaces: ['atlas'] }, USER_INVALID],
    ['workspace', { userIds: ['ann'], workspaces: both.workspaces }, WORKSPACE_INVALID],
    ['group', { userIds: ['ann'], workspaces: ['atlas'], groups: both.groups }, GROUP_INVALID],
  ])('is unknown to an assignment if it is a new %s, and the refusal leaves no trace', async (kind, body, refusal) => {
    const other = { user: 'ann', workspace: 'atlas', group: 'editors' }[kind];
    const gate = await replicas.gate(`SELECT FROM ${kind}s WHERE id = $1 FOR UPDATE`, [other]);
    const before = await entries();
    const creation = {
      user: `INSERT INTO users (id) VALUES ('new')`,
      workspace: `INSERT INTO workspaces (id, name) VALUES ('new', 'New')`,
      group: `INSERT INTO groups (id, name, workspace_key) SELECT 'new', 'New', key FROM workspaces WHERE id = 'atlas'`,
    }[kind] as string;
    const answer = await gate.during(
      () => assigning(body, kind),
      () => gate.execute(creation),
    );
    expect([answer.status, answer.text]).toEqual([400, refusal]);
    expect((await replicas.directory.state()).workspaces).toEqual([]);
    expect(await entries()).toBe(before);

    const again = await assigning(body, kind);
    expect([again.status, again.text]).toEqual([200, ASSIGNED]);
    expect(again.headers.has('idempotency-replayed')).toBe(false);
    expect((await replicas.directory.state()).workspaces).not.toEqual([]);
    expect(await entries()).toBeGreaterThan(before);
    expect(replicas.takeFailures()).toEqual([]);
  });

  const OPERATIONS: [string, object][] = [
    ['workspace-assign', { workspaces: ['atlas'] }],
    ['workspace-unassign', { workspaces: ['atlas'] }],
    ['status-assign', { status: 'inactive' }],
  ];

  describe.each(OPERATIONS)('is unknown to %s, if it is a new user,', (operation, body) => {
    const request = { userIds: ['new', 'ann'], ...body };

    async function whileOneAppears(prefer?: string): Promise<Answer> {
      await replicas.directory.member('ann', 'atlas');
      const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ann' FOR UPDATE`);
      return gate.during(
        () => calling(operation, request, `${operation}-${prefer}`, prefer),
        () => gate.execute(`INSERT INTO users (id) VALUES ('new')`),
      );
    }

    it('which is refused and changes nothing', async () => {
      const before = await entries();
      expect((await whileOneAppears()).text).toBe(USER_INVALID);
      expect(await entries()).toBe(before);
    });

    it('which skips and lists it with handling=lenient', async () => {
      const answer = await whileOneAppears('handling=lenient');
      expect(JSON.parse(answer.text)).toMatchObject({
        status: 200,
        result: { refused: [{ pointer: '/userIds/0', id: 'new', code: 'user.invalid' }] },
      });
      const { users, workspaces } = await replicas.directory.state();
      expect(users).toContainEqual({ id: 'new', type: 'guest', status: 'active' });
      expect(workspaces.filter((line) => line.startsWith('new'))).toEqual([]);
    });
  });

  it.each(['user', 'workspace', 'group'] as const)(
    'is unknown to assignments and unassignments if it is a deleted %s',
    async (kind) => {
      const id = { user: 'ann', workspace: 'atlas', group: 'editors' }[kind];
      const refusal = { user: USER_INVALID, workspace: WORKSPACE_INVALID, group: GROUP_INVALID }[kind];
      const gate = await replicas.gate(`DELETE FROM ${kind}s WHERE id = $1`, [id]);
      const body = { userIds: ['ann'], workspaces: ['atlas'], groups: ['editors'] };
      const waiting = ['workspace-assign', 'workspace-unassign'].map((operation) =>
        calling(operation, body, `${operation}-${kind}-vanishes`),
      );
      await gate.waitFor(2);
      await gate.commit();
      expect((await Promise.all(waiting)).map(({ text }) => text)).toEqual([refusal, refusal]);
    },
  );
});
