import { type Answer, ASSIGNED, assign, UNAUTHENTICATED } from '../support/ask';
import { useTestService } from '../support/test-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { sealed } from '../support/sealed';

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

const asAda = (body: unknown): Promise<Answer> => assign(service, service.tokenOf('ada'), body);
const refusal = (status: number, message: string): string => JSON.stringify({ status, message });

const FORBIDDEN = refusal(403, 'Only an administrator can do this.');
const USER_REQUIRED = refusal(400, 'Please select at least one user.');
const USER_INVALID = refusal(400, 'Please select a valid User.');
const WORKSPACE_REQUIRED = refusal(400, 'Please select at least one workspace.');
const WORKSPACE_INVALID = refusal(400, 'Please select a valid Workspace.');
const GROUP_INVALID = refusal(400, 'Please select a valid Group.');

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
    const [entry] = await (
      await sealed(service.dataSource)
    ).query<object[]>(
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
      () => service.tokenOf('robot', { scope: 'users:read' }),
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

  it.each<[string, object, string]>([
    ['userIds absent', { userIds: undefined }, USER_REQUIRED],
    ['userIds null', { userIds: null }, USER_REQUIRED],
    ['userIds empty', { userIds: [] }, USER_REQUIRED],
    ['userIds text', { userIds: 'ben' }, USER_INVALID],
    ['userIds an object', { userIds: { 0: 'ben', length: 1 } }, USER_INVALID],
    ['userIds false', { userIds: false }, USER_INVALID],
    ['userIds zero', { userIds: 0 }, USER_INVALID],
    ['userIds empty text', { userIds: '' }, USER_INVALID],
    ['a user that is a number', { userIds: ['ben', 7] }, USER_INVALID],
    ['a user that is null', { userIds: [null] }, USER_INVALID],
    ['a user that is a list', { userIds: [['ben']] }, USER_INVALID],
    ['an unknown user', { userIds: ['ben', 'nobody'] }, USER_INVALID],
    ['a user in another case', { userIds: ['Ben'] }, USER_INVALID],
    ['a user with a space after the id', { userIds: ['ben '] }, USER_INVALID],
    ['an empty user id', { userIds: [''] }, USER_INVALID],
    ['workspaces absent', { workspaces: undefined }, WORKSPACE_REQUIRED],
    ['workspaces null', { workspaces: null }, WORKSPACE_REQUIRED],
    ['workspaces empty', { workspaces: [] }, WORKSPACE_REQUIRED],
    ['workspaces text', { workspaces: 'atlas' }, WORKSPACE_INVALID],
    ['workspaces an object', { workspaces: {} }, WORKSPACE_INVALID],
    ['a workspace that is a number', { workspaces: [1] }, WORKSPACE_INVALID],
    ['an unknown workspace', { workspaces: ['atlas', 'nowhere'] }, WORKSPACE_INVALID],
    ['groups text', { groups: 'atlas-managers' }, GROUP_INVALID],
    ['groups an object', { groups: {} }, GROUP_INVALID],
    ['groups false', { groups: false }, GROUP_INVALID],
    ['a group that is null', { groups: [null] }, GROUP_INVALID],
    ['an unknown group', { groups: ['atlas-managers', 'nothing'] }, GROUP_INVALID],
    ['a group of a workspace that is not listed', { groups: ['borealis-editors'] }, GROUP_INVALID],
  ])('with %s', async (_, wrong, body) => {
    const before = await everyRow(service);

    await expectRefusal(asAda({ ...good, ...wrong }), body);
    expect(await everyRow(service)).toEqual(before);
  });
});

const KNOWN = { userIds: ['ben'], workspaces: ['atlas'] };
const UNKNOWN = { userIds: ['nobody'], workspaces: ['nowhere'], groups: ['nothing'] };
const TOO_LARGE = { ...UNKNOWN, workspaces: Array.from({ length: 1_001 }, (_, n) => `nowhere-${n}`) };
const TOO_MANY_WORKSPACES = '{"status":400,"message":"This request is too large: at most 1,000 workspaces."}';
const REASON_INVALID = '{"status":400,"message":"Please give a reason of 1 to 500 characters."}';

describe('an assignment with several errors is answered by the first check that fails (numbers of the contract)', () => {
  it.each<[string, () => string | undefined, object, string]>([
    ['1 before all', () => undefined, { groups: 7 }, UNAUTHENTICATED],
    ['2 before 3', () => service.tokenOf('ben'), { groups: 7 }, FORBIDDEN],
    ['3 before 5', () => service.tokenOf('ada'), { userIds: [], groups: 7 }, USER_REQUIRED],
    ['4 before 5', () => service.tokenOf('ada'), { userIds: [7], groups: 7 }, USER_INVALID],
    ['5 before 7', () => service.tokenOf('ada'), { userIds: ['ben'], groups: 7 }, WORKSPACE_REQUIRED],
    ['5 before 11', () => service.tokenOf('ada'), { userIds: ['nobody'] }, WORKSPACE_REQUIRED],
    [
      '6 before 7',
      () => service.tokenOf('ada'),
      { userIds: ['ben'], workspaces: ['atlas', 7], groups: 7 },
      WORKSPACE_INVALID,
    ],
    ['6 before 11', () => service.tokenOf('ada'), { userIds: ['nobody'], workspaces: 7, groups: 7 }, WORKSPACE_INVALID],
    ['7 before 8', () => service.tokenOf('ada'), { ...KNOWN, groups: [7], reason: 7 }, GROUP_INVALID],
    ['7 before 11', () => service.tokenOf('ada'), { ...UNKNOWN, groups: 'nothing' }, GROUP_INVALID],
    ['8 before 10', () => service.tokenOf('ada'), { ...TOO_LARGE, reason: '' }, REASON_INVALID],
    ['8 before 11', () => service.tokenOf('ada'), { ...UNKNOWN, reason: '' }, REASON_INVALID],
    ['10 before 11', () => service.tokenOf('ada'), TOO_LARGE, TOO_MANY_WORKSPACES],
    ['11 before 12', () => service.tokenOf('ada'), UNKNOWN, USER_INVALID],
    ['12 before 13', () => service.tokenOf('ada'), { ...UNKNOWN, userIds: ['ben'] }, WORKSPACE_INVALID],
    ['13 last', () => service.tokenOf('ada'), { ...KNOWN, groups: ['nothing'] }, GROUP_INVALID],
  ])('%s', async (_, token, body, answer) => {
    await expectRefusal(assign(service, token(), body), answer);
  });
});
