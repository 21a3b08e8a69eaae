import { assign, ASSIGNED } from '../support/ask';
import { BulkTrial, OPERATIONS, REPRESENTATION } from './bulk-operations';
import { querySealed } from '../support/sealed';

const LENIENT = { prefer: 'handling=lenient' };

const trial = BulkTrial.forEachTest();

describe.each(OPERATIONS)('%s', (operation, body, message, result) => {
  it('returns what has changed with return=representation', async () => {
    const answer = await trial.call(operation, body, REPRESENTATION);
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ status: 200, message, result })]);
    expect(answer.headers.get('preference-applied')).toBe('return=representation');
    expect(answer.headers.get('vary')).toBe('Accept-Language, Prefer');
  });

  it('returns no result without it', async () => {
    const answer = await trial.call(operation, body, { prefer: 'respond-async, return=minimal' });
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ status: 200, message })]);
    expect(answer.headers.has('preference-applied')).toBe(false);
    expect(answer.headers.get('vary')).toBe('Accept-Language');
  });

  it('skips and lists unknown users with handling=lenient', async () => {
    const { userIds } = body as { userIds: string[] };
    const strange = ['nobody', 'b\0n', '', 'x'.repeat(300)];
    const lenient = { ...body, userIds: [...strange, ...userIds, 'nobody'] };
    const answer = await trial.call(operation, lenient, LENIENT);
    const refused = [...strange.map((id, index) => [index, id]), [userIds.length + strange.length, 'nobody']].map(
      ([index, id]) => ({ pointer: `/userIds/${index}`, id, code: 'user.invalid' }),
    );
    expect(JSON.parse(answer.text)).toEqual({ status: 200, message, result: { ...result, refused } });
    expect(answer.headers.get('preference-applied')).toBe('handling=lenient');
  });

  it('answers as ever with handling=strict, if every field is known', async () => {
    const prefer = 'HANDLING="strict", handling=lenient';
    const answer = await trial.call(operation, body, { prefer });
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ status: 200, message })]);
    expect(answer.headers.get('preference-applied')).toBe('handling=strict');
    expect(answer.headers.get('vary')).toBe('Accept-Language, Prefer');
  });

  it('repeats its answer for the same key, and refuses the key with other preferences', async () => {
    const headers = { 'idempotency-key': `replay ${operation}`.replace(' ', '-'), ...REPRESENTATION };
    const first = await trial.call(operation, body, headers);
    const again = await trial.call(operation, body, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('preference-applied')).toBe('return=representation');
    for (const wish of [{ prefer: '' }, LENIENT]) {
      expect((await trial.call(operation, body, { ...headers, ...wish })).status).toBe(422);
    }
    expect((await trial.call(`${operation}?dryRun=true`, body, headers)).status).toBe(422);
  });

  it('also repeats an answer that reports no change', async () => {
    await trial.call(operation, body);
    const headers = { 'idempotency-key': `again-${operation}`, ...REPRESENTATION };
    const first = await trial.call(operation, body, headers);
    expect(JSON.parse(first.text)).toMatchObject({ result: { users: [] } });
    const again = await trial.call(operation, body, headers);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  });
});

describe('handling=lenient', () => {
  it('skips unknown ids in every list, and groups of workspaces that are not listed', async () => {
    const body = {
      userIds: ['ben', 'nobody'],
      workspaces: ['nowhere', 'atlas', 'nowhere'],
      groups: ['atlas-managers', 'borealis-editors', 'none'],
    };
    const answer = await trial.call('workspace-assign', body, { prefer: 'handling=lenient, return=representation' });
    expect(answer.headers.get('preference-applied')).toBe('return=representation, handling=lenient');
    expect(JSON.parse(answer.text)).toMatchObject({
      result: {
        users: [{ id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'] }],
        unchanged: 0,
        refused: [
          { pointer: '/userIds/1', id: 'nobody', code: 'user.invalid' },
          { pointer: '/workspaces/0', id: 'nowhere', code: 'workspace.invalid' },
          { pointer: '/workspaces/2', id: 'nowhere', code: 'workspace.invalid' },
          { pointer: '/groups/1', id: 'borealis-editors', code: 'group.invalid' },
          { pointer: '/groups/2', id: 'none', code: 'group.invalid' },
        ],
      },
    });
    expect((await trial.service.directory.state()).workspaces).toEqual(['ben in atlas', 'max in atlas']);
  });
});

describe('a result of more than 100,000 memberships', () => {
  const ids = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const body = { userIds: ids(1_001, 'user'), workspaces: ids(60, 'workspace'), groups: ids(40, 'group') };
  const refusal =
    '{"status":400,"message":"This request is too large to be represented: at most 100,000 memberships."}';
  const UNKNOWN = '{"status":400,"message":"Please select a valid User."}';

  it.each<[string, Record<string, string>]>([
    ['', REPRESENTATION],
    ['', LENIENT],
    ['?dryRun=true', {}],
  ])('is refused: %s %j', async (query, headers) => {
    for (const operation of ['workspace-assign', 'workspace-unassign'])
      expect((await trial.call(operation + query, body, headers)).text).toBe(refusal);
    const less = { ...body, userIds: ids(1_000, 'user') };
    expect((await trial.call(`workspace-assign${query}`, less, headers)).text).toBe(UNKNOWN);
  });

  it('is refused only if a result is asked for, and after all other limits', async () => {
    expect((await trial.call('workspace-assign', body)).text).toBe(UNKNOWN);
    const larger = { ...body, userIds: ids(10_001, 'user') };
    expect((await trial.call('workspace-assign?dryRun=true', larger)).text).toContain('at most 10,000 users');
  });

  it('is refused if a small request takes users out of many groups', async () => {
    const { dataSource, directory } = trial.service;
    await directory.workspace('cosmos');
    await dataSource.query(`INSERT INTO users (id) SELECT 'user-' || n FROM generate_series(0, 999) AS n`);
    await dataSource.query(`
      INSERT INTO groups (id, name, workspace_key)
      SELECT 'group-' || n, 'Group', key FROM workspaces, generate_series(1, 99) AS n WHERE id = 'cosmos'`);
    await dataSource.query(`
      INSERT INTO workspace_memberships (user_key, workspace_key)
      SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE u.id NOT IN ('ada', 'zoe') AND w.id = 'cosmos'`);
    await dataSource.transaction(async (manager) => {
      // Without the checks of foreign keys, which would take most of the time of this test.
      await manager.query('SET LOCAL session_replication_role = replica');
      await manager.query(`
        INSERT INTO group_memberships (user_key, workspace_key, group_key)
        SELECT user_key, workspace_key, g.key FROM workspace_memberships JOIN groups AS g USING (workspace_key)
        WHERE g.id LIKE 'group-%'`);
    });
    const most = { userIds: ids(1_000, 'user'), workspaces: ['cosmos'] };
    const more = { ...most, userIds: [...most.userIds, 'ben'] };
    const traces = async (): Promise<unknown> =>
      querySealed(dataSource, `SELECT count(*) FROM group_memberships UNION ALL SELECT count(*) FROM journal_changes`);
    const before = await traces();
    expect((await trial.call('workspace-unassign', more, REPRESENTATION)).text).toBe(refusal);
    expect(await traces()).toEqual(before);
    expect((await trial.call('workspace-unassign?dryRun=true', most)).status).toBe(200);
  });
});

describe('an assignment without preferences', () => {
  it('answers exactly the body of the specification', async () => {
    const answer = await assign(trial.service, trial.service.tokenOf('ada'), {
      userIds: ['ben'],
      workspaces: ['atlas'],
    });
    expect(answer.text).toBe(ASSIGNED);
  });
});
