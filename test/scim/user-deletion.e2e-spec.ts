import { type Provider, ScimApi } from './scim-api';

const api = ScimApi.forEachTest();

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

describe('a user whom the provider deletes', () => {
  it('is deactivated, leaves the places by the connection alone, and is unknown to it', async () => {
    await okta.create({ userName: 'u', externalId: 'u' });
    const { directory, dataSource } = api.service;
    await directory.group('atlas-readers', 'atlas');
    await directory.group('atlas-writers', 'atlas');
    await directory.member('u', 'atlas', ['atlas-managers', 'atlas-readers', 'atlas-writers']);
    await directory.member('u', 'borealis', ['borealis-editors']);
    await dataSource.query(
      `INSERT INTO scim_memberships SELECT m.user_key, m.workspace_key, NULL FROM workspace_memberships m;
       INSERT INTO scim_memberships SELECT m.user_key, m.workspace_key, m.group_key FROM group_memberships m JOIN groups g ON g.key = m.group_key WHERE g.id <> 'atlas-writers'`,
    );
    await okta.done('DELETE', '/Users/u');
    expect(await directory.state()).toMatchObject({ workspaces: ['u in atlas'], groups: ['u in atlas-writers'] });
    expect(await api.user('u')).toMatchObject({ status: 'inactive', type: 'member' });
    expect(await okta.refusal('GET', '/Users/u')).toBe('404');
    expect(await okta.list({ filter: 'userName eq "u"' })).toMatchObject({ totalResults: 0 });
    expect(await dataSource.query('SELECT FROM scim_memberships')).toEqual([]);
    const actors = (await api.newestEntries(3)).map(({ action, actor }) => [action, actor.id]);
    expect(actors.every(([, actor]) => actor === okta.connection)).toBe(true);
    expect(await okta.create({ userName: 'u', externalId: 'u', active: true })).toMatchObject({
      id: 'u',
      active: true,
    });
  });

  it('who is deleted by an administrator is unknown as well', async () => {
    await okta.create({ userName: 'u', externalId: 'u' });
    await api.done('DELETE', '/users/u');
    expect(await okta.refusal('GET', '/Users/u')).toBe('404');
    expect(await okta.create({ userName: 'u', externalId: 'u' })).toMatchObject({ id: 'u' });
  });
});
