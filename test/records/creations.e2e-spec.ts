import { everyRow } from '../support/small-directory';
import { AT, RecordTrial, typed } from './record-trial';

const UUIDV7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const trial = RecordTrial.forEachTest();

describe('creating', () => {
  it('a user answers like GET, and is recorded in the journal', async () => {
    const { status, headers, body } = await trial.send('POST', '/api/users', {
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
        activeUntil: null,
        createdAt: AT,
        updatedAt: AT,
        permissions: ['content.edit'],
      },
    });
    const location = headers.get('location') ?? '';
    expect(location).toBe('/api/users/flo%2F1%20%C3%A4');
    const read = await trial.send('GET', location);
    expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')]);
    expect((await trial.send('GET', `${location}/memberships`)).body).toMatchObject({
      memberships: [
        { workspace: { id: 'atlas' }, groups: [{ id: 'atlas-managers' }] },
        { workspace: { id: 'cosmos' }, groups: [] },
      ],
    });
    expect(await trial.told()).toEqual([
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

  it('a workspace has the same Location if the path of the request ends with a slash', async () => {
    const { status, headers } = await trial.send('POST', '/api/workspaces/', { body: { id: 'delta', name: 'Delta' } });
    expect([status, headers.get('location')]).toEqual([201, '/api/workspaces/delta']);
  });

  it('a user with the name of an operation in another case, which is an id like any other', async () => {
    const { status, headers, body } = await trial.send('POST', '/api/users', { body: { id: 'Status-Assign' } });
    expect(status).toBe(201);
    const location = headers.get('location') ?? '';
    expect((await trial.send('GET', location)).body).toEqual(body);
    expect((await trial.patch(location, { displayName: 'Stas' })).body).toMatchObject({ displayName: 'Stas' });
    expect((await trial.send('DELETE', location)).status).toBe(204);
  });

  it.each([
    [
      'users',
      {},
      { email: null, displayName: null, type: 'guest', status: 'active', activeUntil: null, permissions: [] },
    ],
    [
      'users',
      { id: null, status: 'inactive', email: null, groups: null },
      { email: null, displayName: null, type: 'guest', status: 'inactive', activeUntil: null, permissions: [] },
    ],
    ['workspaces', { name: 'Delta', permissions: null }, { name: 'Delta', permissions: [] }],
    [
      'groups',
      { name: 'Readers', workspace: 'cosmos', permissions: ['content.read'] },
      { name: 'Readers', workspace: 'cosmos', permissions: ['content.read'] },
    ],
    ['permissions', { grants: 'member' }, { description: null, grants: 'member' }],
  ])('one of the %s without an id makes a UUIDv7', async (kind, given, fields) => {
    const { status, headers, body } = await trial.send('POST', `/api/${kind}`, { body: given });
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.stringMatching(UUIDV7) as string, ...fields, createdAt: AT, updatedAt: AT });
    const read = await trial.send('GET', headers.get('location') ?? '');
    expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')]);
  });

  it('workspaces, groups and permissions is recorded in the journal', async () => {
    await trial.send('POST', '/api/permissions', { body: { id: 'publish', description: '', grants: 'manager' } });
    await trial.send('POST', '/api/workspaces', { body: { id: 'delta', name: 'Delta', permissions: ['publish'] } });
    await trial.send('POST', '/api/groups', {
      body: { id: 'team', name: 'Team', workspace: 'delta', permissions: ['publish'] },
    });
    const place = { user: null, workspaces: ['delta'] };
    expect(await trial.told()).toEqual([
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
    const rows = await everyRow(trial.service);
    expect(await trial.send('POST', `/api/${kind}`, { body })).toMatchObject({
      status: 409,
      body: { status: 409, message },
    });
    const headers = { accept: 'application/problem+json' };
    const problem = await trial.send('POST', `/api/${kind}`, { body, headers });
    expect(problem.body).toMatchObject({ detail: message, errors: [{ pointer }] });
    expect(await everyRow(trial.service)).toEqual(rows);
    expect(await trial.told()).toEqual([]);
  });

  it('is done once with an Idempotency-Key', async () => {
    const request = { body: { name: 'Delta' }, headers: { 'idempotency-key': 'delta-1' } };
    const first = await trial.send('POST', '/api/workspaces', request);
    const again = await trial.send('POST', '/api/workspaces', request);
    expect(again.body).toEqual(first.body);
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
  });
});
