import type { Answer } from '../support/ask';
import { ASSIGNED, post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { Gate } from './gate';
import { Replicas } from './replicas';

const USER_INVALID = '{"status":400,"message":"Please select a valid User."}';
const WORKSPACE_INVALID = '{"status":400,"message":"Please select a valid Workspace."}';
const GROUP_INVALID = '{"status":400,"message":"Please select a valid Group."}';

/**
 * A record that is committed while the request waits for another one: the lock did not find it, and a look afterwards would.
 * A request that counts what it locked and then looks again would write nothing and answer 200.
 */
describeOnServer('a record that appears while an assignment waits', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await Replicas.start();
  });
  afterAll(() => replicas.close());

  beforeEach(async () => {
    const { directory } = replicas;
    await directory.clear();
    for (const workspace of ['atlas', 'borealis']) await directory.workspace(workspace);
    await directory.group('editors', 'atlas');
    await directory.user('ann');
    await replicas.both[0].dataSource.query('DELETE FROM idempotency_keys');
  });

  const both = { userIds: ['ann', 'new'], workspaces: ['atlas', 'new'], groups: ['editors', 'new'] };

  function assigning(body: object, key: string): Promise<Answer> {
    const [{ url, serviceToken }] = replicas.both;
    return post(`${url}/api/users/workspace-assign`, body, {
      authorization: `Bearer ${serviceToken()}`,
      'idempotency-key': key,
    });
  }

  async function entries(): Promise<number> {
    const rows: unknown[] = await replicas.both[0].dataSource.query('SELECT FROM journal_entries');
    return rows.length;
  }

  it.each([
    ['user', { userIds: both.userIds, workspaces: ['atlas'] }, USER_INVALID],
    ['workspace', { userIds: ['ann'], workspaces: both.workspaces }, WORKSPACE_INVALID],
    ['group', { userIds: ['ann'], workspaces: ['atlas'], groups: both.groups }, GROUP_INVALID],
  ])('is unknown to it if it is a %s, and nothing is kept of the refusal', async (kind, body, refusal) => {
    const other = { user: 'ann', workspace: 'atlas', group: 'editors' }[kind];
    const gate = await Gate.close(replicas.database.url, `SELECT FROM ${kind}s WHERE id = $1 FOR UPDATE`, [other]);
    const before = await entries();
    const waiting = assigning(body, kind);
    await gate.waitFor(1);
    await gate.execute(
      {
        user: `INSERT INTO users (id) VALUES ('new')`,
        workspace: `INSERT INTO workspaces (id, name) VALUES ('new', 'New')`,
        group: `INSERT INTO groups (id, name, workspace_key) SELECT 'new', 'New', key FROM workspaces WHERE id = 'atlas'`,
      }[kind] as string,
    );
    await gate.commit();

    const answer = await waiting;
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

  it.each(['user', 'workspace', 'group'] as const)('refuses a %s that vanishes meanwhile', async (kind) => {
    const id = { user: 'ann', workspace: 'atlas', group: 'editors' }[kind];
    const refusal = { user: USER_INVALID, workspace: WORKSPACE_INVALID, group: GROUP_INVALID }[kind];
    const gate = await Gate.close(replicas.database.url, `DELETE FROM ${kind}s WHERE id = $1`, [id]);
    const waiting = assigning({ userIds: ['ann'], workspaces: ['atlas'], groups: ['editors'] }, `${kind}-vanishes`);
    await gate.waitFor(1);
    await gate.commit();
    expect((await waiting).text).toBe(refusal);
  });
});
