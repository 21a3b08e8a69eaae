import { type Answer, ASSIGNED, assign, UNAUTHENTICATED } from '../support/ask';
import { useTestService } from '../support/test-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { querySealed } from '../support/sealed';

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

const asAda = (body: unknown): Promise<Answer> => assign(service, service.tokenOf('ada'), body);
const refusal = (status: number, message: string): string => JSON.stringify({ status, message });

const FORBIDDEN = refusal(403, 'Only an administrator can do this.');

async function expectRefusal(answering: Promise<Answer>, body: string): Promise<void> {
  const answer = await answering;
  expect(answer.text).toBe(body);
  expect(answer.status).toBe((JSON.parse(body) as { status: number }).status);
}

describe('an assignment', () => {
  it('puts users into workspaces and groups, and derives their types', async () => {
    const answer = await asAda({
      userIds: ['ben', 'cyd'],
      workspaces: ['atlas', 'borealis'],
      groups: ['atlas-managers'],
    });

    expect(answer.text).toBe(ASSIGNED);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await service.directory.state()).toEqual({
      users: [
        { id: 'ada', type: 'administrator', status: 'active' },
        { id: 'ben', type: 'manager', status: 'active' },
        { id: 'cyd', type: 'manager', status: 'inactive' },
        { id: 'max', type: 'manager', status: 'active' },
        { id: 'old-admin', type: 'administrator', status: 'inactive' },
        { id: 'zoe', type: 'administrator', status: 'active' },
      ],
      workspaces: ['ben in atlas', 'ben in borealis', 'cyd in atlas', 'cyd in borealis'],
      groups: ['ben in atlas-managers', 'cyd in atlas-managers'],
    });
  });

  it('is recorded in the journal, with each workspace once', async () => {
    await asAda({
      userIds: ['ben'],
      workspaces: ['borealis', 'atlas'],
      groups: ['borealis-editors', 'atlas-managers'],
    });
    const [entry] = await querySealed<object[]>(
      service.dataSource,
      `SELECT user_id, workspace_ids, after FROM journal_entries WHERE action = 'user.workspaces.assigned'
       ORDER BY id DESC LIMIT 1`,
    );
    const places = { workspaces: ['atlas', 'borealis'], groups: ['atlas-managers', 'borealis-editors'] };
    expect(entry).toEqual({ user_id: 'ben', workspace_ids: places.workspaces, after: places });
  });

  it.each([
    ['absent', {}],
    ['null', { groups: null }],
    ['empty', { groups: [] }],
  ])('treats groups that are %s as no groups', async (_, groups) => {
    expect((await asAda({ userIds: ['ben'], workspaces: ['borealis'], ...groups })).text).toBe(ASSIGNED);

    const { workspaces, groups: inGroups } = await service.directory.state();
    expect({ workspaces, inGroups }).toEqual({ workspaces: ['ben in borealis'], inGroups: [] });
  });

  it('counts repeated ids once', async () => {
    const answer = await asAda({
      userIds: ['ben', 'ben'],
      workspaces: ['atlas', 'atlas'],
      groups: ['atlas-managers', 'atlas-managers'],
    });

    expect(answer.text).toBe(ASSIGNED);
    const { workspaces, groups } = await service.directory.state();
    expect({ workspaces, groups }).toEqual({ workspaces: ['ben in atlas'], groups: ['ben in atlas-managers'] });
  });

  it('changes nothing the second time', async () => {
    const request = { userIds: ['ben', 'cyd'], workspaces: ['atlas'], groups: ['atlas-managers'] };
    await asAda(request);
    const before = await everyRow(service);

    expect((await asAda(request)).text).toBe(ASSIGNED);
    expect(await everyRow(service)).toEqual(before);
  });

  it('ignores unknown fields', async () => {
    const answer = await asAda({
      userIds: ['ben'],
      workspaces: ['borealis'],
      type: 'administrator',
      status: 'inactive',
    });

    expect(answer.text).toBe(ASSIGNED);
    expect((await service.directory.state()).users).toContainEqual({ id: 'ben', type: 'guest', status: 'active' });
  });

  it('can be made by a service', async () => {
    const answer = await assign(service, service.serviceToken(), { userIds: ['ben'], workspaces: ['atlas'] });

    expect(answer.text).toBe(ASSIGNED);
  });
});

describe('an assignment is refused', () => {
  const good = { userIds: ['ben'], workspaces: ['atlas'], groups: ['atlas-managers'] };

  afterEach(async () => {
    const { workspaces, groups } = await service.directory.state();
    expect({ workspaces, groups }).toEqual({ workspaces: [], groups: [] });
  });

  it.each<[string, () => string | undefined, string]>([
    ['no token', () => undefined, UNAUTHENTICATED],
    ['text that is no token', () => 'nonsense', UNAUTHENTICATED],
    ['the token of an unknown user', () => service.tokenOf('nobody'), UNAUTHENTICATED],
    ['the token of an inactive user', () => service.tokenOf('cyd'), UNAUTHENTICATED],
    ['the token of an inactive administrator', () => service.tokenOf('old-admin'), UNAUTHENTICATED],
    [
      'the token of a service without the scope',
      () => service.tokenOf('robot', { scope: 'users:write' }),
      UNAUTHENTICATED,
    ],
    ['the token of a manager', () => service.tokenOf('max'), FORBIDDEN],
    ['the token of a guest', () => service.tokenOf('ben'), FORBIDDEN],
    [
      'the token of a user with the scope of services',
      () => service.tokenOf('ben', { scope: 'users:administer' }),
      FORBIDDEN,
    ],
    [
      'the token of an inactive user with that scope',
      () => service.tokenOf('cyd', { scope: 'users:administer' }),
      UNAUTHENTICATED,
    ],
  ])('of a caller with %s', async (_, token, body) => {
    await expectRefusal(assign(service, token(), good), body);
  });
});
