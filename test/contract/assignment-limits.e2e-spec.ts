import { type Answer, ASSIGNED, assign } from '../support/ask';
import { useTestService } from '../support/test-service';

const service = useTestService();

beforeEach(async () => {
  await service.directory.clear();
  await service.directory.user('ada', { type: 'administrator' });
});

const asAda = (body: unknown): Promise<Answer> => assign(service, service.tokenOf('ada'), body);
const names = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
const tooLarge = (what: string): string =>
  JSON.stringify({ status: 400, message: `This request is too large: at most ${what}.` });

/** Unknown ids: a request within the limits is refused for them. */
const UNKNOWN_USER = '{"status":400,"message":"Please select a valid User."}';

describe('the limit of an assignment', () => {
  it.each<[string, number, number, number, string]>([
    ['10,000 users', 10_000, 1, 0, UNKNOWN_USER],
    ['10,001 users', 10_001, 1, 0, tooLarge('10,000 users')],
    ['1,000 workspaces', 1, 1_000, 0, UNKNOWN_USER],
    ['1,001 workspaces', 1, 1_001, 0, tooLarge('1,000 workspaces')],
    ['1,000 groups', 1, 1, 1_000, UNKNOWN_USER],
    ['1,001 groups', 1, 1, 1_001, tooLarge('1,000 groups')],
    ['1,000,000 memberships', 10_000, 50, 50, UNKNOWN_USER],
    ['1,000,100 memberships', 9_902, 51, 50, tooLarge('1,000,000 memberships')],
    ['too many of everything', 10_001, 1_001, 1_001, tooLarge('10,000 users')],
  ])('judges %s', async (_, users, workspaces, groups, body) => {
    const answer = await asAda({
      userIds: names(users, 'user'),
      workspaces: names(workspaces, 'workspace'),
      groups: names(groups, 'group'),
    });

    expect(answer.text).toBe(body);
    expect(answer.status).toBe(400);
  });

  it('counts each id once', async () => {
    const answer = await asAda({ userIds: [...names(10_000, 'user'), 'user-0'], workspaces: ['atlas'] });

    expect(answer.text).toBe(UNKNOWN_USER);
    const often = Array<string>(200_000).fill('ada');
    expect((await asAda({ userIds: often, workspaces: ['atlas'] })).text).toContain('Please select a valid Workspace.');
  });

  it('permits full lists of the longest ids within the size of a body', async () => {
    const longest = (count: number): string[] => names(count, 'n').map((name) => name.padEnd(255 * 2 - 10, '😀'));
    const answer = await asAda({ userIds: longest(10_000), workspaces: longest(50), groups: longest(50) });

    expect(answer.text).toBe(UNKNOWN_USER);
  });

  it('permits 10,000 users in 10 workspaces, which are assigned in one request', async () => {
    await service.directory.permission('read', 'member');
    for (const workspace of names(10, 'workspace')) await service.directory.workspace(workspace);
    await service.directory.workspace('library', ['read']);
    await service.dataSource.query(
      `INSERT INTO users (id, type, status) SELECT 'user-' || n, 'guest', 'active' FROM generate_series(0, 9999) AS n`,
    );

    const answer = await asAda({
      userIds: names(10_000, 'user'),
      workspaces: ['library', ...names(9, 'workspace')],
    });

    expect(answer.text).toBe(ASSIGNED);
    const [counts] = (await service.dataSource.query(
      `SELECT (SELECT count(*)::int FROM workspace_memberships) AS memberships,
              (SELECT count(*)::int FROM users WHERE type = 'member') AS members`,
    )) as object[];
    expect(counts).toEqual({ memberships: 100_000, members: 10_000 });
  });
});
