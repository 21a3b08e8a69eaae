import { everyRow } from '../support/small-directory';
import { AT, RecordTrial, typed } from './record-trial';

const trial = RecordTrial.forEachTest();

describe('changing', () => {
  it('a user: what is left out stays, null clears, and permissions are the whole list', async () => {
    const before = (await trial.send('GET', '/api/users/ben')).body as object;
    const named = await trial.patch('/api/users/ben', { displayName: 'Benjamin', email: 'Benjamin@example.com' });
    expect({ status: named.status, body: named.body }).toEqual({
      status: 200,
      body: { ...before, displayName: 'Benjamin', email: 'Benjamin@example.com', updatedAt: AT },
    });
    const emptied = await trial.patch('/api/users/ben', {
      displayName: null,
      email: null,
      permissions: ['users.administer'],
    });
    expect(emptied.body).toMatchObject({
      displayName: null,
      email: null,
      type: 'administrator',
      permissions: ['users.administer'],
    });
    const read = await trial.send('GET', '/api/users/ben');
    expect([read.body, read.headers.get('etag')]).toEqual([emptied.body, emptied.headers.get('etag')]);
    expect((await trial.patch('/api/users/ben', { permissions: null })).body).toMatchObject({
      type: 'manager',
      permissions: [],
    });
    const user = { user: 'ben', workspaces: [] };
    expect(await trial.told()).toEqual([
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
    await trial.patch('/api/workspaces/atlas', {
      name: 'Atlas One',
      permissions: ['workspace.manage', 'content.edit'],
    });
    expect(await trial.told()).toEqual([
      { ...place, action: 'workspace.updated', before: { name: 'Atlas' }, after: { name: 'Atlas One' } },
      {
        ...place,
        action: 'workspace.permissions.changed',
        before: { permissions: ['content.read'] },
        after: { permissions: ['content.edit', 'workspace.manage'] },
      },
      typed('eve', 'member', 'manager'),
    ]);
    await trial.skipJournal();
    await trial.patch('/api/groups/atlas-managers', { name: 'Owners', permissions: [] });
    await trial.patch('/api/workspaces/atlas', { permissions: null });
    expect(await trial.told()).toEqual([
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
    await trial.patch('/api/users/dee', { permissions: ['content.edit'] });
    await trial.skipJournal();
    const { body } = await trial.patch('/api/permissions/content.edit', { grants: 'manager', description: null });
    expect(body).toEqual({ id: 'content.edit', description: null, grants: 'manager', createdAt: AT, updatedAt: AT });
    expect(await trial.told()).toEqual([
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
    const rows = await everyRow(trial.service);
    const before = await trial.send('GET', path);
    const { status, headers, body: after } = await trial.patch(path, body);
    expect([status, after, headers.get('etag')]).toEqual([200, before.body, before.headers.get('etag')]);
    expect(await everyRow(trial.service)).toEqual(rows);
    expect(await trial.told()).toEqual([]);
  });

  it('takes the media type of merge patches, and others not', async () => {
    const type = 'application/merge-patch+json';
    const headers = { 'content-type': `${type}; charset=utf-8` };
    expect((await trial.patch('/api/workspaces/atlas', { name: 'A' }, headers)).body).toMatchObject({ name: 'A' });
    expect(
      (await trial.patch('/api/workspaces/atlas', { name: 'A' }, { 'content-type': 'application/json-patch+json' }))
        .status,
    ).toBe(415);
    const created = await trial.send('POST', '/api/workspaces', {
      body: { name: 'A' },
      headers: { 'content-type': type },
    });
    expect(created.status).toBe(415);
  });

  it('stores an email in NFC, and compares it by the folding of Unicode', async () => {
    expect(await trial.patch('/api/users/ben', { email: 'E\u0301va.ΣΑΣ@I\u0307STANBUL' })).toMatchObject({
      status: 200,
      body: { email: 'Éva.ΣΑΣ@İSTANBUL' },
    });
    for (const email of ['éva.σας@istanbul', 'E\u0301VA.Σασ@İstanbul']) {
      expect(await trial.patch('/api/users/cyd', { email })).toMatchObject({ status: 409 });
    }
    for (const asked of ['Éva.ΣΑΣ@İSTANBUL', 'E\u0301va.σας@I\u0307stanbul', 'éva.σασ@istanbul']) {
      const found = await trial.send('GET', `/api/users?email=${encodeURIComponent(asked)}`);
      expect(found.body).toMatchObject({ users: [{ id: 'ben' }] });
    }
    expect(await trial.patch('/api/users/cyd', { email: 'éva.σας@ıstanbul' })).toMatchObject({ status: 200 });
  });

  it('keeps the email of another user', async () => {
    expect(await trial.patch('/api/users/ben', { email: 'CYD@Example.com' })).toMatchObject({
      status: 409,
      body: { status: 409, message: 'This email address is already in use.' },
    });
    expect((await trial.patch('/api/users/ben', { email: 'BEN@example.com' })).status).toBe(200);
  });
});
