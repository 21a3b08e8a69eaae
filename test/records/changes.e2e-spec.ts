import { DEMO_DIRECTORY } from '../../src/directory-transfer/demo-directory';
import { importDirectory } from '../../src/directory-transfer/import-directory';
import { UserTypeService } from '../../src/users/user-type.service';
import { UserTypeRule } from '../../src/users/user-type.rule';
import { falseTypes } from '../races/false-types';
import { type ContractService, startContractService } from '../support/contract-service';
import { call, type RecordAnswer, type RecordRequest } from '../support/record-calls';
import { everyRow } from '../support/small-directory';

const AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const MOMENTS = { createdAt: AT, updatedAt: AT };
const UUIDV7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

let service: ContractService;

beforeAll(async () => {
  service = await startContractService();
});
afterAll(() => service.close());

let seen: string;
beforeEach(async () => {
  await service.directory.clear();
  const attribution = { actor: { kind: 'system', id: 'test' } } as const;
  await importDirectory(service.dataSource, DEMO_DIRECTORY, attribution, {
    userTypes: new UserTypeService(new UserTypeRule()),
  });
  seen = await newest();
});
afterEach(async () => expect(await falseTypes(service.dataSource)).toEqual([]));

const send = (method: string, path: string, request?: RecordRequest): Promise<RecordAnswer> =>
  call(service, method, path, request);

const put = (path: string, body: unknown, headers?: Record<string, string>) => send('PATCH', path, { body, headers });

async function newest(): Promise<string> {
  const [row]: { id: string }[] = await service.dataSource.query(
    'SELECT COALESCE(max(id), 0) AS id FROM journal_entries',
  );
  return row?.id ?? '0';
}

/** What the journal was told since the directory was made, in order. */
async function told(): Promise<object[]> {
  return service.dataSource.query(
    `SELECT action, user_id AS user, workspace_ids AS workspaces, before, after FROM journal_entries
     WHERE id > $1 ORDER BY id`,
    [seen],
  );
}

const typed = (user: string, before: string, after: string) => ({
  action: 'user.type.changed',
  user,
  workspaces: [],
  before: { type: before },
  after: { type: after },
});

describe('creating', () => {
  it('a user answers like GET, and is recorded in the journal', async () => {
    const { status, headers, body } = await send('POST', '/api/users', {
      body: {
        id: 'flo/1 ä',
        email: 'Flo@example.com',
        displayName: 'Flo',
        permissions: ['content.edit', 'content.edit'],
        workspaces: ['cosmos', 'atlas'],
        groups: ['atlas-managers'],
        nickname: 'ignored',
        __proto__: { type: 'administrator' },
      },
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: 'flo/1 ä',
        email: 'Flo@example.com',
        displayName: 'Flo',
        type: 'manager',
        status: 'active',
        ...MOMENTS,
        permissions: ['content.edit'],
      },
    });
    const location = headers.get('location') ?? '';
    expect(location).toBe('/api/users/flo%2F1%20%C3%A4');
    const read = await send('GET', location);
    expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')]);
    expect((await send('GET', `${location}/memberships`)).body).toMatchObject({
      memberships: [
        { workspace: { id: 'atlas' }, groups: [{ id: 'atlas-managers' }] },
        { workspace: { id: 'cosmos' }, groups: [] },
      ],
    });
    expect(await told()).toEqual([
      {
        action: 'user.created',
        user: 'flo/1 ä',
        workspaces: ['atlas', 'cosmos'],
        before: null,
        after: {
          email: 'Flo@example.com',
          displayName: 'Flo',
          status: 'active',
          permissions: ['content.edit'],
          workspaces: ['atlas', 'cosmos'],
          groups: ['atlas-managers'],
        },
      },
      typed('flo/1 ä', 'guest', 'manager'),
    ]);
  });

  it('a user with the name of an operation in another case, which is an id like any other', async () => {
    const { status, headers, body } = await send('POST', '/api/users', { body: { id: 'Status-Assign' } });
    expect(status).toBe(201);
    const location = headers.get('location') ?? '';
    expect((await send('GET', location)).body).toEqual(body);
    expect((await put(location, { displayName: 'Stas' })).body).toMatchObject({ displayName: 'Stas' });
    expect((await send('DELETE', location)).status).toBe(204);
  });

  it.each([
    ['users', {}, { email: null, displayName: null, type: 'guest', status: 'active', permissions: [] }],
    [
      'users',
      { id: null, status: 'inactive', email: null, groups: null },
      { email: null, displayName: null, type: 'guest', status: 'inactive', permissions: [] },
    ],
    ['workspaces', { name: 'Delta', permissions: null }, { name: 'Delta', permissions: [] }],
    [
      'groups',
      { name: 'Readers', workspace: 'cosmos', permissions: ['content.read'] },
      { name: 'Readers', workspace: 'cosmos', permissions: ['content.read'] },
    ],
    ['permissions', { grants: 'member' }, { description: null, grants: 'member' }],
  ])('one of the %s without an id makes a UUIDv7', async (kind, given, fields) => {
    const { status, headers, body } = await send('POST', `/api/${kind}`, { body: given });
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.stringMatching(UUIDV7) as string, ...fields, ...MOMENTS });
    const read = await send('GET', headers.get('location') ?? '');
    expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')]);
  });

  it('workspaces, groups and permissions is recorded in the journal', async () => {
    await send('POST', '/api/permissions', { body: { id: 'publish', description: '', grants: 'manager' } });
    await send('POST', '/api/workspaces', { body: { id: 'delta', name: 'Delta', permissions: ['publish'] } });
    await send('POST', '/api/groups', {
      body: { id: 'team', name: 'Team', workspace: 'delta', permissions: ['publish'] },
    });
    const place = { user: null, workspaces: ['delta'] };
    expect(await told()).toEqual([
      {
        action: 'permission.created',
        user: null,
        workspaces: [],
        before: null,
        after: { permission: 'publish', description: '', grants: 'manager' },
      },
      { ...place, action: 'workspace.created', before: null, after: { name: 'Delta' } },
      {
        ...place,
        action: 'workspace.permissions.changed',
        before: { permissions: [] },
        after: { permissions: ['publish'] },
      },
      { ...place, action: 'group.created', before: null, after: { group: 'team', name: 'Team' } },
      {
        ...place,
        action: 'group.permissions.changed',
        before: { group: 'team', permissions: [] },
        after: { group: 'team', permissions: ['publish'] },
      },
    ]);
  });

  it.each([
    ['users', { id: 'ada' }, 'This id is already in use.', '/id'],
    ['users', { email: 'ADA@example.com' }, 'This email address is already in use.', '/email'],
    ['workspaces', { id: 'atlas', name: 'Another' }, 'This id is already in use.', '/id'],
    ['groups', { id: 'atlas-editors', name: 'A', workspace: 'cosmos' }, 'This id is already in use.', '/id'],
    ['permissions', { id: 'content.read', grants: 'guest' }, 'This id is already in use.', '/id'],
  ])('one of the %s refuses what is taken: %j', async (kind, body, message, pointer) => {
    const rows = await everyRow(service);
    expect(await send('POST', `/api/${kind}`, { body })).toMatchObject({ status: 409, body: { status: 409, message } });
    const headers = { accept: 'application/problem+json' };
    const problem = await send('POST', `/api/${kind}`, { body, headers });
    expect(problem.body).toMatchObject({ detail: message, errors: [{ pointer }] });
    expect(await everyRow(service)).toEqual(rows);
    expect(await told()).toEqual([]);
  });

  it('is done once with an Idempotency-Key', async () => {
    const request = { body: { name: 'Delta' }, headers: { 'idempotency-key': 'delta-1' } };
    const first = await send('POST', '/api/workspaces', request);
    const again = await send('POST', '/api/workspaces', request);
    expect(again.body).toEqual(first.body);
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
  });
});

describe('changing', () => {
  it('a user: what is left out stays, null clears, and permissions are the whole list', async () => {
    const before = (await send('GET', '/api/users/ben')).body as object;
    const named = await put('/api/users/ben', { displayName: 'Benjamin', email: 'Benjamin@example.com' });
    expect({ status: named.status, body: named.body }).toEqual({
      status: 200,
      body: { ...before, displayName: 'Benjamin', email: 'Benjamin@example.com', updatedAt: AT },
    });
    const emptied = await put('/api/users/ben', { displayName: null, email: null, permissions: ['users.administer'] });
    expect(emptied.body).toMatchObject({
      displayName: null,
      email: null,
      type: 'administrator',
      permissions: ['users.administer'],
    });
    const read = await send('GET', '/api/users/ben');
    expect([read.body, read.headers.get('etag')]).toEqual([emptied.body, emptied.headers.get('etag')]);
    expect((await put('/api/users/ben', { permissions: null })).body).toMatchObject({
      type: 'manager',
      permissions: [],
    });
    const user = { user: 'ben', workspaces: [] };
    expect(await told()).toEqual([
      {
        ...user,
        action: 'user.updated',
        before: { email: 'ben@example.com', displayName: 'Ben' },
        after: { email: 'Benjamin@example.com', displayName: 'Benjamin' },
      },
      {
        ...user,
        action: 'user.updated',
        before: { email: 'Benjamin@example.com', displayName: 'Benjamin', permissions: [] },
        after: { email: null, displayName: null, permissions: ['users.administer'] },
      },
      {
        ...user,
        action: 'user.permissions.changed',
        before: { permissions: [] },
        after: { permissions: ['users.administer'] },
      },
      typed('ben', 'manager', 'administrator'),
      {
        ...user,
        action: 'user.updated',
        before: { permissions: ['users.administer'] },
        after: { permissions: [] },
      },
      {
        ...user,
        action: 'user.permissions.changed',
        before: { permissions: ['users.administer'] },
        after: { permissions: [] },
      },
      typed('ben', 'administrator', 'manager'),
    ]);
  });

  it('a workspace and a group, whose members follow', async () => {
    const place = { user: null, workspaces: ['atlas'] };
    await put('/api/workspaces/atlas', { name: 'Atlas One', permissions: ['workspace.manage', 'content.edit'] });
    expect(await told()).toEqual([
      { ...place, action: 'workspace.updated', before: { name: 'Atlas' }, after: { name: 'Atlas One' } },
      {
        ...place,
        action: 'workspace.permissions.changed',
        before: { permissions: ['content.read'] },
        after: { permissions: ['content.edit', 'workspace.manage'] },
      },
      typed('eve', 'member', 'manager'),
    ]);
    seen = await newest();
    await put('/api/groups/atlas-managers', { name: 'Owners', permissions: [] });
    await put('/api/workspaces/atlas', { permissions: null });
    expect(await told()).toEqual([
      {
        ...place,
        action: 'group.updated',
        before: { group: 'atlas-managers', name: 'Managers' },
        after: { group: 'atlas-managers', name: 'Owners' },
      },
      {
        ...place,
        action: 'group.permissions.changed',
        before: { group: 'atlas-managers', permissions: ['workspace.manage'] },
        after: { group: 'atlas-managers', permissions: [] },
      },
      {
        ...place,
        action: 'workspace.permissions.changed',
        before: { permissions: ['content.edit', 'workspace.manage'] },
        after: { permissions: [] },
      },
      typed('ben', 'manager', 'guest'),
      typed('eve', 'manager', 'member'),
    ]);
  });

  it('what a permission grants, and everyone who holds it in any way follows', async () => {
    await put('/api/users/dee', { permissions: ['content.edit'] });
    seen = await newest();
    const { body } = await put('/api/permissions/content.edit', { grants: 'manager', description: null });
    expect(body).toEqual({ id: 'content.edit', description: null, grants: 'manager', ...MOMENTS });
    expect(await told()).toEqual([
      {
        action: 'permission.updated',
        user: null,
        workspaces: [],
        before: { permission: 'content.edit', description: 'Edit content', grants: 'member' },
        after: { permission: 'content.edit', description: null, grants: 'manager' },
      },
      typed('dee', 'member', 'manager'),
      typed('eve', 'member', 'manager'),
    ]);
  });

  it.each([
    ['/api/users/ada', { email: 'ada@example.com', permissions: ['users.administer', 'users.administer'] }],
    ['/api/users/ada', {}],
    ['/api/workspaces/atlas', { name: 'Atlas', permissions: ['content.read'], other: 1 }],
    ['/api/groups/atlas-editors', { name: 'Editors' }],
    ['/api/permissions/content.read', { description: 'Read content', grants: 'member' }],
  ])('%s to what it is, %j, writes nothing', async (path, body) => {
    const rows = await everyRow(service);
    const before = await send('GET', path);
    const { status, headers, body: after } = await put(path, body);
    expect([status, after, headers.get('etag')]).toEqual([200, before.body, before.headers.get('etag')]);
    expect(await everyRow(service)).toEqual(rows);
    expect(await told()).toEqual([]);
  });

  it('takes the media type of merge patches, and others not', async () => {
    const type = 'application/merge-patch+json';
    const headers = { 'content-type': `${type}; charset=utf-8` };
    expect((await put('/api/workspaces/atlas', { name: 'A' }, headers)).body).toMatchObject({ name: 'A' });
    expect(
      (await put('/api/workspaces/atlas', { name: 'A' }, { 'content-type': 'application/json-patch+json' })).status,
    ).toBe(415);
    const created = await send('POST', '/api/workspaces', { body: { name: 'A' }, headers: { 'content-type': type } });
    expect(created.status).toBe(415);
  });

  it('keeps the email of another user', async () => {
    expect(await put('/api/users/ben', { email: 'CYD@Example.com' })).toMatchObject({
      status: 409,
      body: { status: 409, message: 'This email address is already in use.' },
    });
    expect((await put('/api/users/ben', { email: 'BEN@example.com' })).status).toBe(200);
  });
});

describe('deleting', () => {
  it('a user', async () => {
    const { status, body } = await send('DELETE', '/api/users/ben');
    expect([status, body]).toEqual([204, undefined]);
    expect((await send('GET', '/api/users/ben')).status).toBe(404);
    expect((await send('GET', '/api/me', { caller: 'ben' })).status).toBe(401);
    expect(await told()).toEqual([
      {
        action: 'user.deleted',
        user: 'ben',
        workspaces: ['atlas'],
        before: {
          email: 'ben@example.com',
          displayName: 'Ben',
          status: 'active',
          permissions: [],
          workspaces: ['atlas'],
          groups: ['atlas-managers'],
        },
        after: null,
      },
    ]);
    expect((await send('DELETE', '/api/users/ben')).status).toBe(404);
  });

  it('a workspace with its groups, and what its members held through them', async () => {
    expect((await send('DELETE', '/api/workspaces/cosmos')).status).toBe(204);
    expect((await send('GET', '/api/groups/cosmos-admins')).status).toBe(404);
    const place = { user: null, workspaces: ['cosmos'], after: null };
    expect(await told()).toEqual([
      { ...place, action: 'workspace.deleted', before: { name: 'Cosmos', permissions: [] } },
      {
        ...place,
        action: 'group.deleted',
        before: { group: 'cosmos-admins', name: 'Administrators', permissions: ['users.administer'] },
      },
      {
        action: 'user.workspaces.unassigned',
        user: 'zoe',
        workspaces: ['cosmos'],
        before: { workspaces: ['cosmos'], groups: ['cosmos-admins'] },
        after: null,
      },
      typed('zoe', 'administrator', 'guest'),
    ]);
  });

  it('a group, whose members stay in the workspace', async () => {
    expect((await send('DELETE', '/api/groups/atlas-managers')).status).toBe(204);
    expect((await send('GET', '/api/users/ben/memberships')).body).toMatchObject({
      memberships: [{ workspace: { id: 'atlas' }, groups: [] }],
    });
    expect(await told()).toEqual([
      {
        action: 'group.deleted',
        user: null,
        workspaces: ['atlas'],
        before: { group: 'atlas-managers', name: 'Managers', permissions: ['workspace.manage'] },
        after: null,
      },
      {
        action: 'user.workspaces.unassigned',
        user: 'ben',
        workspaces: ['atlas'],
        before: { workspaces: [], groups: ['atlas-managers'] },
        after: null,
      },
      typed('ben', 'manager', 'member'),
    ]);
  });

  it('a permission, from all who held it', async () => {
    await put('/api/users/dee', { permissions: ['content.edit', 'content.read'] });
    await put('/api/workspaces/cosmos', { permissions: ['content.read'] });
    seen = await newest();
    expect((await send('DELETE', '/api/permissions/content.read')).status).toBe(204);
    const lost = (workspace: string) => ({
      action: 'workspace.permissions.changed',
      user: null,
      workspaces: [workspace],
      before: { permissions: ['content.read'] },
      after: { permissions: [] },
    });
    expect(await told()).toEqual([
      {
        action: 'permission.deleted',
        user: null,
        workspaces: [],
        before: { permission: 'content.read', description: 'Read content', grants: 'member' },
        after: null,
      },
      lost('atlas'),
      lost('borealis'),
      lost('cosmos'),
      {
        action: 'user.permissions.changed',
        user: 'dee',
        workspaces: [],
        before: { permissions: ['content.edit', 'content.read'] },
        after: { permissions: ['content.edit'] },
      },
      typed('cyd', 'member', 'guest'),
    ]);
  });
});

describe('If-Match', () => {
  const records = [
    ['/api/users/ben', { displayName: 'B' }],
    ['/api/workspaces/atlas', { name: 'B' }],
    ['/api/groups/atlas-editors', { name: 'B' }],
    ['/api/permissions/content.edit', { description: 'B' }],
  ] as const;

  it.each(records)('on %s lets through the version that it names, or any', async (path, body) => {
    const etag = (await send('GET', path)).headers.get('etag') ?? '';
    const first = await put(path, body, { 'if-match': `"other,one",\t${etag} , W/"weak"` });
    expect(first.status).toBe(200);
    const current = first.headers.get('etag') ?? '';
    const malformed = [`w/${current}`, `${current} "other"`, `etag=${current}`, `"${current}"`, 'nonsense', ''];
    for (const stale of [etag, `W/${current}`, '"other"', ...malformed]) {
      const headers = { 'if-match': stale };
      const refused = { status: 412, message: 'This record has been changed in the meantime.' };
      expect(await put(path, {}, headers)).toMatchObject({ status: 412, body: refused });
      expect(await send('DELETE', path, { headers })).toMatchObject({ status: 412, body: refused });
    }
    expect((await put(path, {}, { 'if-match': '*' })).status).toBe(200);
    const headers = { 'if-match': current };
    expect((await send('DELETE', path, { headers })).status).toBe(204);
    expect((await put(path, body, { 'if-match': '*' })).status).toBe(404);
  });

  it('notices a change of the permissions', async () => {
    const etag = (await send('GET', '/api/users/dee')).headers.get('etag') ?? '';
    await put('/api/users/dee', { permissions: ['content.read'] });
    expect((await put('/api/users/dee', { displayName: 'D' }, { 'if-match': etag })).status).toBe(412);
  });
});

describe('the last active administrator', () => {
  const REFUSED = { status: 409, body: { status: 409, message: 'At least one active administrator must remain.' } };

  it('stays', async () => {
    await send('DELETE', '/api/workspaces/cosmos');
    const rows = await everyRow(service);
    for (const [method, path, body] of [
      ['DELETE', '/api/users/ada', undefined],
      ['PATCH', '/api/users/ada', { permissions: [] }],
      ['PATCH', '/api/permissions/users.administer', { grants: 'manager' }],
      ['DELETE', '/api/permissions/users.administer', undefined],
    ] as const)
      expect(await send(method, path, { body })).toMatchObject(REFUSED);
    expect(await everyRow(service)).toEqual(rows);
  });

  it('is not the one who gives away the own authority while another one remains', async () => {
    expect((await put('/api/users/ada', { permissions: [] })).body).toMatchObject({ type: 'member' });
    expect((await put('/api/users/ada', {})).status).toBe(403);
    expect((await send('DELETE', '/api/users/zoe', { caller: 'zoe' })).status).toBe(409);
  });

  it('may be deleted by none but an administrator', async () => {
    expect((await send('DELETE', '/api/users/zoe', { caller: 'ben' })).status).toBe(403);
    expect((await send('DELETE', '/api/users/zoe', { caller: 'zoe' })).status).toBe(204);
    expect((await send('DELETE', '/api/users/ada', { caller: 'zoe' })).status).toBe(401);
  });
});
