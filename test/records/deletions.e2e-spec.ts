import { RecordTrial, typed } from './record-trial';

const trial = RecordTrial.forEachTest();

describe('deleting', () => {
  it('a user removes the user, whose tokens are then refused, and the journal records what the user had', async () => {
    const { status, body } = await trial.send('DELETE', '/api/users/ben');
    expect([status, body]).toEqual([204, undefined]);
    expect((await trial.send('GET', '/api/users/ben')).status).toBe(404);
    expect((await trial.send('GET', '/api/me', { caller: 'ben' })).status).toBe(401);
    expect(await trial.told()).toEqual([
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
    expect((await trial.send('DELETE', '/api/users/ben')).status).toBe(404);
  });

  it('a workspace removes its groups, and what its members held through them', async () => {
    expect((await trial.send('DELETE', '/api/workspaces/cosmos')).status).toBe(204);
    expect((await trial.send('GET', '/api/groups/cosmos-admins')).status).toBe(404);
    const place = { user: null, workspaces: ['cosmos'], after: null };
    expect(await trial.told()).toEqual([
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

  it('a group keeps its members in the workspace', async () => {
    expect((await trial.send('DELETE', '/api/groups/atlas-managers')).status).toBe(204);
    expect((await trial.send('GET', '/api/users/ben/memberships')).body).toMatchObject({
      memberships: [{ workspace: { id: 'atlas' }, groups: [] }],
    });
    expect(await trial.told()).toEqual([
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

  it('a permission takes it from all who held it', async () => {
    await trial.patch('/api/users/dee', { permissions: ['content.edit', 'content.read'] });
    await trial.patch('/api/workspaces/cosmos', { permissions: ['content.read'] });
    await trial.skipJournal();
    expect((await trial.send('DELETE', '/api/permissions/content.read')).status).toBe(204);
    const lost = (workspace: string) => ({
      action: 'workspace.permissions.changed',
      user: null,
      workspaces: [workspace],
      before: { permissions: ['content.read'] },
      after: { permissions: [] },
    });
    expect(await trial.told()).toEqual([
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
