import { type Provider, type Resource, ScimApi, work } from './scim-api';

const api = ScimApi.forEachTest();
const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const LEFT = 'This id belongs to somebody who has left. An administrator can rename or erase that user first.';

const ann = { userName: 'ann', externalId: 'e1', emails: [work('ann@x.io')] };

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

/** The detail of a refusal for uniqueness. */
async function conflict(provider: Provider, user: object): Promise<string> {
  const { status, text } = await provider.call('POST', '/Users', user);
  expect(status).toBe(409);
  const { scimType, detail } = JSON.parse(text) as { scimType: string; detail: string };
  expect(scimType).toBe('uniqueness');
  return detail;
}

async function leaver(provider: Provider, user: object): Promise<Resource> {
  const made = await provider.create(user);
  await provider.done('DELETE', `/Users/${made.id}`);
  return made;
}

describe('a newcomer with something of somebody who has left', () => {
  it('gets the address, and nothing else', async () => {
    await leaver(okta, ann);
    await api.done('PATCH', '/users/e1', { permissions: ['manage'] });
    const made = await okta.create({ ...ann, externalId: 'e2' });
    expect(made).toMatchObject({ id: 'e2', userName: 'ann', externalId: 'e2', active: true });
    expect(await api.user('e1')).toMatchObject({ email: null, status: 'inactive', type: 'manager' });
    expect(await api.user('e2')).toMatchObject({ email: 'ann@x.io', status: 'active', permissions: [], type: 'guest' });
  });

  it('does not get the id, until that is free', async () => {
    const provider = await api.provider({ idFrom: 'userName' });
    await leaver(provider, ann);
    expect(await conflict(provider, { ...ann, externalId: 'e2' })).toBe(LEFT);
    expect(await api.user('ann')).toMatchObject({ email: 'ann@x.io', status: 'inactive' });
    await api.done('POST', '/users/ann/rename', { id: 'ann-1' });
    // SCIM's id has been given already.
    const made = await provider.create({ ...ann, externalId: 'e2' });
    expect(made.id).toMatch(UUID);
    expect(await api.user('ann')).toMatchObject({ email: 'ann@x.io', status: 'active' });
    expect(await api.user('ann-1')).toMatchObject({ email: null, status: 'inactive' });
    await provider.done('DELETE', `/Users/${made.id}`);
    await api.done('DELETE', '/users/ann?erase=true');
    await api.done('DELETE', '/users/ann-1?erase=true');
    expect((await provider.create({ ...ann, externalId: 'e3' })).id).toMatch(UUID);
    expect(await api.user('ann')).toMatchObject({ email: 'ann@x.io', status: 'active' });
  });

  it('does not get the address of an administrator by a connection that may not change one', async () => {
    await leaver(okta, ann);
    await api.done('PATCH', '/users/e1', { permissions: ['administer'] });
    expect(await okta.refusal('POST', '/Users', { ...ann, externalId: 'e2' })).toBe('403');
    expect(await api.user('e1')).toMatchObject({ email: 'ann@x.io' });
  });

  it('is refused whose address an active user has', async () => {
    await leaver(okta, ann);
    await api.done('POST', '/users/status-assign', { userIds: ['e1'], status: 'active' });
    expect(await conflict(okta, { ...ann, externalId: 'e2' })).toBe('Another user has this email address.');
  });
});

describe('somebody who comes back', () => {
  it.each([
    ['the same external id', ann, { userName: 'ann.lee', externalId: 'e1' }],
    ['the same name, where no external id was sent before', { userName: 'ann' }, { userName: 'ANN', externalId: 'e9' }],
    ['the same name, where no external id is sent now', ann, { userName: 'Ann' }],
  ])('gets the record back by %s', async (_, before, after) => {
    const { id } = await leaver(okta, before);
    await api.done('POST', `/users/${id}/rename`, { id: 'renamed' });
    expect(await okta.create({ ...after, active: true })).toMatchObject({ ...after, id, active: true });
    expect(await api.user('renamed')).toMatchObject({ status: 'active' });
    expect((await okta.list()).Resources).toHaveLength(1);
  });

  it.each([
    ['before', true, false],
    ['after', false, false],
    ['before, at a connection that has ended,', true, true],
    ['after, at a connection that has ended,', false, true],
  ])('is who has the external id, who left %s somebody with the name and without one', async (_, isFirst, hasEnded) => {
    const other = hasEnded ? await api.provider() : okta;
    const annLeaves = () => leaver(other, { userName: 'ann', externalId: 'e1' });
    if (isFirst) await annLeaves();
    const bob = await leaver(okta, { userName: 'bob' });
    if (!isFirst) await annLeaves();
    if (hasEnded) await api.done('DELETE', `/scim-connections/${other.connection}`);
    await api.done('PATCH', `/users/${bob.id}`, { permissions: ['manage'] });
    expect(await okta.create({ userName: 'Bob', externalId: 'e1' })).toMatchObject({ id: 'e1', active: true });
    expect(await api.user('e1')).toMatchObject({ status: 'active', permissions: [], type: 'guest' });
    expect(await api.user(bob.id)).toMatchObject({ status: 'inactive', permissions: ['manage'] });
  });

  it('is the record with the external id as its id, before a leaver with the name and without one', async () => {
    const bob = await leaver(okta, { userName: 'bob' });
    await api.done('POST', '/users', { id: 'e1' });
    expect(await okta.create({ userName: 'bob', externalId: 'e1' })).toMatchObject({ id: 'e1' });
    expect(await api.user(bob.id)).toMatchObject({ status: 'inactive' });
  });

  it.each([true, false])(
    'is of several with the name the one who left last, at this connection or not: %s',
    async (isOurs) => {
      const other = await api.provider();
      const [first, last] = isOurs ? [other, okta] : [okta, other];
      const early = await leaver(first, { userName: 'bob' });
      const late = await leaver(last, { userName: 'bob' });
      expect(late.id).not.toBe(early.id);
      await api.done('DELETE', `/scim-connections/${other.connection}`);
      await okta.create({ userName: 'bob', externalId: 'e9' });
      expect(await api.user(late.id)).toMatchObject({ status: 'active' });
      expect(await api.user(early.id)).toMatchObject({ status: 'inactive' });
    },
  );

  it.each<[object, string]>([
    [{}, 'active'],
    [{ active: true }, 'active'],
    [{ active: null }, 'active'],
    [{ active: false }, 'inactive'],
  ])('with %j is %s', async (sent, status) => {
    await leaver(okta, ann);
    expect(await okta.create({ ...ann, ...sent })).toMatchObject({ id: 'e1', active: status === 'active' });
    expect(await api.user('e1')).toMatchObject({ email: 'ann@x.io', status });
    // What an administrator does from then on is not undone by a push.
    await api.done('POST', '/users/status-assign', { userIds: ['e1'], status: 'inactive' });
    expect(await okta.done('PUT', '/Users/e1', { ...ann, active: true })).toMatchObject({
      active: status === 'inactive',
    });
  });

  it('by another connection is active as well', async () => {
    const other = await api.provider();
    await leaver(other, ann);
    expect(await okta.create(ann)).toMatchObject({ id: 'e1', active: true });
    expect(await api.user('e1')).toMatchObject({ status: 'active' });
  });

  it('as an administrator is not activated by a connection that may not do so', async () => {
    await leaver(okta, ann);
    await api.done('PATCH', '/users/e1', { permissions: ['administer'] });
    expect(await okta.refusal('POST', '/Users', ann)).toBe('403');
    expect(await api.user('e1')).toMatchObject({ status: 'inactive' });
  });

  it('gets the new name as the id, if the id is the name', async () => {
    const provider = await api.provider({ idFrom: 'userName' });
    await leaver(provider, ann);
    expect(await provider.create({ ...ann, userName: 'ann.lee', active: true })).toMatchObject({ id: 'ann' });
    expect(await api.user('ann.lee')).toMatchObject({ email: 'ann@x.io', status: 'active' });
    const [renamed] = (await api.newestEntries(3)).filter(({ action }) => action === 'user.renamed');
    expect(renamed).toMatchObject({ before: { id: 'ann' }, after: { id: 'ann.lee' } });
    await provider.done('DELETE', '/Users/ann');
    await api.done('POST', '/users', { id: 'taken' });
    expect(await conflict(provider, { ...ann, userName: 'taken' })).toBe('Another user has this id.');
  });

  it('is nobody else, whatever the name and the address', async () => {
    await leaver(okta, ann);
    expect((await okta.create({ ...ann, externalId: 'e2' })).id).toBe('e2');
    expect(await conflict(okta, ann)).toBe('Another user has this userName.');
    expect(await okta.create({ ...ann, userName: 'ann2', active: true })).toMatchObject({ id: 'e1' });
    // Both are active, and who has the address keeps it.
    expect([(await api.user('e1')).email, (await api.user('e2')).email]).toEqual([null, 'ann@x.io']);
  });
});

describe('the end of a connection', () => {
  const end = ({ connection }: Provider) => api.done('DELETE', `/scim-connections/${connection}`);

  it('keeps who had left, and who was inactive', async () => {
    const provider = await api.provider({ idFrom: 'userName' });
    await leaver(provider, ann);
    await provider.create({ userName: 'bo', externalId: 'e2', active: false });
    await provider.create({ userName: 'cy', externalId: 'e3' });
    await end(provider);
    const next = await api.provider({ idFrom: 'userName' });
    for (const user of [
      { ...ann, externalId: 'other' },
      { userName: 'bo', externalId: 'other' },
    ])
      expect(await conflict(next, user)).toBe(LEFT);
    expect(await next.create({ ...ann, active: true })).toMatchObject({ id: 'ann', active: true });
    expect(await next.create({ userName: 'bo.li', externalId: 'e2' })).toMatchObject({
      externalId: 'e2',
      active: true,
    });
    expect(await api.user('bo.li')).toMatchObject({ status: 'active' });
    expect(await next.create({ userName: 'cy', externalId: 'other' })).toMatchObject({ id: 'cy' });
  });

  it('with its workspace is the same', async () => {
    await leaver(okta, ann);
    await okta.create({ userName: 'bo', externalId: 'e2', emails: [work('bo@x.io')], active: false });
    await api.done('DELETE', '/workspaces/atlas');
    const next = await api.provider({ workspace: 'borealis' });
    expect(await next.create({ userName: 'newbo', externalId: 'e9', emails: [work('bo@x.io')] })).toMatchObject({
      id: 'e9',
    });
    expect([(await api.user('e2')).email, (await api.user('e9')).email]).toEqual([null, 'bo@x.io']);
    expect(await next.create({ userName: 'new', externalId: 'e1', active: true })).toMatchObject({ id: 'e1' });
  });

  it('does not tell what another connection remembers', async () => {
    const other = await api.provider();
    await leaver(okta, { userName: 'ann' });
    expect((await other.create({ userName: 'ann' })).id).toMatch(UUID);
    expect(await other.list()).toMatchObject({ totalResults: 1 });
  });
});
