import { createHash } from 'node:crypto';
import { ask } from '../support/ask';
import { type Provider, ScimApi, work } from './scim-api';

const api = ScimApi.forEachTest({ environment: { JWT_SERVICE_SUBJECTS: 'payroll' } });
const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

describe('the id of a new user', () => {
  it.each([
    ['externalId', { userName: 'u', externalId: 'auth0|5f7c/x y' }, 'auth0|5f7c/x y'],
    ['externalId', { userName: 'u' }, UUID],
    ['externalId', { userName: 'u', externalId: '' }, UUID],
    ['externalId', { userName: 'u', externalId: 'x'.repeat(256) }, UUID],
    ['externalId', { userName: 'u', externalId: 'status-tokens' }, UUID],
    ['externalId', { userName: 'u', externalId: ' e' }, UUID],
    ['userName', { userName: 'workspace-assign' }, UUID],
    ['userName', { userName: 'u', externalId: 'e' }, 'u'],
    ['userName', { userName: 'u'.repeat(300) }, UUID],
  ])('comes from %s: of %j it is %s', async (idFrom, user, expected) => {
    const provider = await api.provider({ idFrom });
    const { id, meta } = await provider.create(user);
    expect(id).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    expect(await api.user(id)).toMatchObject({ id });
    expect(await ask(meta.location, { headers: { authorization: `Bearer ${provider.token}` } })).toMatchObject({
      status: 200,
    });
  });

  it('stays as the id of SCIM when the user gets another one, and is given to no other user of the connection', async () => {
    const { id } = await okta.create({ userName: 'ann', externalId: 'old' });
    await api.service.dataSource.query(`UPDATE users SET id = 'new' WHERE id = 'old'`);
    expect(await okta.done('GET', `/Users/${id}`)).toMatchObject({ id: 'old' });
    expect((await okta.patch(id, { op: 'replace', path: 'displayName', value: 'Ann' })).status).toBe(204);
    expect(await api.user('new')).toMatchObject({ displayName: 'Ann' });
    expect(await okta.refusal('POST', '/Users', { userName: 'bo', externalId: 'old' })).toBe('409 uniqueness');
    // Somebody else gets the old id by hand, and is taken over by email.
    await api.done('POST', '/users', { id: 'old', email: 'cy@x.io' });
    const cy = await okta.create({ userName: 'cy', emails: [work('cy@x.io')] });
    expect(cy.id).toMatch(UUID);
    expect(await okta.done('GET', `/Users/${cy.id}`)).toMatchObject({ userName: 'cy' });
    await okta.patch(cy.id, { op: 'replace', value: { active: false } });
    expect([(await api.user('old')).status, (await api.user('new')).status]).toEqual(['inactive', 'active']);
  });
});

describe('an id of SCIM', () => {
  const deletion = (provider: Provider) => provider.done('DELETE', '/Users/mia');
  const here = (query = '') => api.done('DELETE', `/users/mia${query}`);
  const byName = { idFrom: 'userName' };
  const old = { userName: 'mia', externalId: 'OLD' };

  it.each<[string, (provider: Provider) => Promise<unknown>]>([
    ['deleted here', () => here()],
    ['erased', () => here('?erase=true')],
    ['deleted by the provider, and here', (provider) => deletion(provider).then(() => here())],
    ['deleted by the provider, and erased', (provider) => deletion(provider).then(() => here('?erase=true'))],
    [
      'taken over by another connection, and renamed',
      async (provider) => {
        await deletion(provider);
        await (await api.provider(byName)).create(old);
        await api.done('POST', '/users/mia/rename', { id: 'mia-1' });
      },
    ],
  ])('is given to nobody else after the user was %s', async (_, leave) => {
    const provider = await api.provider(byName);
    expect((await provider.create(old)).id).toBe('mia');
    await leave(provider);
    const newcomer = await provider.create({ userName: 'mia', externalId: 'NEW' });
    expect(newcomer).toMatchObject({ id: expect.stringMatching(UUID), userName: 'mia', active: true });
    expect(await provider.refusal('DELETE', '/Users/mia')).toBe('404');
    expect(await api.user('mia')).toMatchObject({ id: 'mia', status: 'active' });
    expect(await provider.done('GET', `/Users/${newcomer.id}`)).toMatchObject({ externalId: 'NEW', active: true });
  });

  it('is given to nobody else after a correction of the external id and a deletion here', async () => {
    await okta.create({ userName: 'mia', externalId: 'OLD' });
    await okta.patch('OLD', { op: 'replace', path: 'externalId', value: 'CORRECT' });
    await api.done('DELETE', '/users/CORRECT?erase=true');
    const newcomer = await okta.create({ userName: 'max.m', externalId: 'OLD' });
    expect(newcomer.id).toMatch(UUID);
    expect(await api.user('OLD')).toMatchObject({ id: 'OLD', status: 'active' });
    expect(await okta.refusal('DELETE', '/Users/OLD')).toBe('404');
  });

  it.each([
    ['external id', 'externalId', { userName: 'u', externalId: 'mia' }, { userName: 'v', externalId: 'mia' }],
    ['name, where no external id was sent before', 'userName', { userName: 'mia' }, old],
    ['name, where no external id is sent now', 'userName', old, { userName: 'mia' }],
  ])('stays that of the same person after a deletion here: by %s', async (_, idFrom, before, after) => {
    const provider = await api.provider({ idFrom });
    for (const user of [before, after]) {
      expect(await provider.create(user)).toMatchObject({ ...user, id: 'mia', active: true });
      await here();
    }
  });

  it('is kept only as a hash, for as long as the connection lives', async () => {
    await okta.create({ userName: 'mia', externalId: 'OLD' });
    await api.done('DELETE', '/users/OLD?erase=true');
    const given = () => api.service.dataSource.query('SELECT * FROM scim_given_ids');
    const hash = (text: string) => createHash('sha256').update(text).digest();
    expect(await given()).toEqual([
      { connection_key: expect.any(String), id: hash('OLD'), external_id: hash('OLD'), user_name: hash('mia') },
    ]);
    await api.done('DELETE', `/scim-connections/${okta.connection}`);
    expect(await given()).toEqual([]);
    expect((await (await api.provider()).create({ userName: 'max.m', externalId: 'OLD' })).id).toBe('OLD');
  });
});

describe('a user who is there already', () => {
  beforeEach(async () => {
    await api.service.dataSource.query(
      `UPDATE users SET email = id || '@x.io', display_name = id WHERE id IN ('ben', 'cyd', 'max')`,
    );
  });

  it('is taken over by id, also with another email, and then belongs to the connection', async () => {
    await api.done('POST', '/users/workspace-assign', { userIds: ['ben'], workspaces: ['borealis'] });
    const made = await okta.create({
      userName: 'b',
      externalId: 'ben',
      displayName: 'Ben',
      emails: [work('new@x.io')],
    });
    expect(made).toMatchObject({ id: 'ben', active: true });
    expect(await api.user('ben')).toMatchObject({ email: 'new@x.io', displayName: 'Ben' });
    const [{ workspaces }] = await api.service.dataSource.query(
      `SELECT count(*)::int AS workspaces FROM workspace_memberships`,
    );
    expect(workspaces).toBe(1);
    const entra = await api.provider();
    expect(await entra.refusal('POST', '/Users', { userName: 'b', externalId: 'ben' })).toBe('409 uniqueness');
    expect(await entra.refusal('POST', '/Users', { userName: 'c', emails: [work('NEW@x.io')] })).toBe('409 uniqueness');
    for (const [method, body] of [
      ['GET'],
      ['PUT', { userName: 'x' }],
      ['PATCH', { Operations: [{ op: 'add', value: {} }] }],
      ['DELETE'],
    ] as const)
      expect(await entra.refusal(method, '/Users/ben', body)).toBe('404');
    expect(await entra.list()).toMatchObject({ totalResults: 0, Resources: [] });
  });

  it('is taken over by email, whatever its case, keeps what the provider does not say, and is activated if that says so', async () => {
    const made = await okta.create({ userName: 'c', externalId: '00u9', emails: [work('CYD@x.io')], active: true });
    expect(made).toMatchObject({ id: 'cyd', externalId: '00u9', displayName: 'cyd', active: true });
    expect(await api.user('cyd')).toMatchObject({ email: 'CYD@x.io', displayName: 'cyd', status: 'active' });
    expect((await api.call('GET', '/users/00u9')).status).toBe(404);
  });

  it('is not taken over half: the id of one and the email of another are refused', async () => {
    const both = { userName: 'b', externalId: 'ben', emails: [work('max@x.io')] };
    expect(await okta.refusal('POST', '/Users', both)).toBe('409 uniqueness');
    expect(await okta.list()).toMatchObject({ totalResults: 0 });
    expect(await api.user('ben')).toMatchObject({ email: 'ben@x.io' });
  });
});

describe('an external id', () => {
  it('is that of one user of the connection, by POST, PUT and PATCH', async () => {
    await okta.create({ userName: 'ann', externalId: 'e1' });
    await okta.create({ userName: 'bo', externalId: 'e2' });
    expect(await okta.refusal('POST', '/Users', { userName: 'cy', externalId: 'e1' })).toBe('409 uniqueness');
    await okta.patch('e1', { op: 'replace', value: { active: false } });
    expect(await okta.refusal('POST', '/Users', { userName: 'cy', externalId: 'e1' })).toBe('409 uniqueness');
    expect(await okta.refusal('PUT', '/Users/e2', { userName: 'bo', externalId: 'e1' })).toBe('409 uniqueness');
    const patch = { Operations: [{ op: 'replace', path: 'externalId', value: 'e1' }] };
    expect(await okta.refusal('PATCH', '/Users/e2', patch)).toBe('409 uniqueness');
    expect((await okta.list({ filter: 'externalId eq "e1"' })).Resources.map(({ userName }) => userName)).toEqual([
      'ann',
    ]);
    const entra = await api.provider({ idFrom: 'userName' });
    expect(await entra.create({ userName: 'cy', externalId: 'e1' })).toMatchObject({ id: 'cy' });
  });
});

describe('the id of a user whose attribute changes', () => {
  const renamedTo = async () => (await api.newestEntries(1))[0]?.after;

  it.each([
    ['PUT', { userName: 'u', externalId: 'e2' }],
    ['PATCH', { Operations: [{ op: 'replace', path: 'externalId', value: 'e2' }] }],
  ])('follows by %s', async (method, body) => {
    await okta.create({ userName: 'u', externalId: 'e1' });
    expect(await okta.refusal(method, '/Users/e1', body)).toMatch(/^20[04]$/);
    expect(await renamedTo()).toEqual({ id: 'e2' });
    expect(await okta.done('GET', '/Users/e1')).toMatchObject({ id: 'e1', externalId: 'e2' });
    expect(await api.user('e2')).toMatchObject({ id: 'e2' });
    expect((await api.call('GET', '/users/e1')).status).toBe(404);
  });

  it('follows the name, where that is the id, and stays where it is not the value, or the value can be no id', async () => {
    const entra = await api.provider({ idFrom: 'userName' });
    await entra.create({ userName: 'ann', externalId: 'e1' });
    await entra.patch('ann', { op: 'replace', path: 'userName', value: 'ann.lee' });
    expect(await api.user('ann.lee')).toMatchObject({ id: 'ann.lee' });
    await entra.patch('ann', { op: 'replace', path: 'externalId', value: 'e2' });
    await entra.patch('ann', { op: 'replace', path: 'userName', value: 'status-assign' });
    expect(await api.user('ann.lee')).toMatchObject({ id: 'ann.lee' });
    await entra.patch('ann', { op: 'replace', path: 'userName', value: 'ann' });
    expect(await api.user('ann.lee')).toMatchObject({ id: 'ann.lee' });
  });

  it('is not that of somebody else, nor of a service', async () => {
    await okta.create({ userName: 'u', externalId: 'e1' });
    const before = await api.service.directory.state();
    for (const [externalId, refusal] of [
      ['ben', '409 uniqueness'],
      ['payroll', '403'],
    ] as const)
      expect(await okta.refusal('PUT', '/Users/e1', { userName: 'u', externalId })).toBe(refusal);
    expect(await api.service.directory.state()).toEqual(before);
    expect(await okta.done('GET', '/Users/e1')).toMatchObject({ externalId: 'e1' });
    await okta.done('PUT', '/Users/e1', { userName: 'u' });
    expect(await api.user('e1')).toMatchObject({ id: 'e1' });
  });
});

describe('the id of a service', () => {
  it('that has changed something is given to no user by a connection that may not', async () => {
    const { dataSource } = api.service;
    const append = `SELECT journal_append_changes('service', $1, NULL, NULL, NULL, NULL, ARRAY[ROW(
      'user.status.changed', ARRAY['ben'], NULL, '{"status":"active"}', '{"status":"inactive"}')::journal_new_change])`;
    for (const id of ['sealed', 'unsealed']) {
      await dataSource.query(append, [id]);
      if (id === 'sealed') await api.newestEntries(1);
      const before = await dataSource.query('SELECT id FROM users ORDER BY key');
      expect(await okta.refusal('POST', '/Users', { userName: 'u', externalId: id })).toBe('403');
      expect(await dataSource.query('SELECT id FROM users ORDER BY key')).toEqual(before);
      expect(await okta.list()).toMatchObject({ totalResults: 0 });
    }
    const may = await api.provider({ mayGrantAdministrator: true });
    expect(await may.create({ userName: 'u', externalId: 'sealed' })).toMatchObject({ id: 'sealed' });
    // An actor that is a user is no service.
    expect(await okta.refusal('POST', '/Users', { userName: 'a', externalId: 'ada-2' })).toBe('201');
  });
});

describe('our display name', () => {
  const name = { formatted: 'Dr Ann Lee', givenName: 'Ann', familyName: 'Lee' };

  it.each([
    [{ displayName: 'A', name }, 'A'],
    [{ name }, 'Dr Ann Lee'],
    [{ displayName: ' ', name }, 'Dr Ann Lee'],
    [{ displayName: '', name: { ...name, formatted: '\u00a0' } }, 'Ann Lee'],
    [{ name: { familyName: 'Lee' } }, 'Lee'],
    [{ name: { givenName: 'Ann', familyName: ' ' } }, 'Ann'],
    [{ name: { formatted: 'x'.repeat(256), givenName: 'Ann' } }, 'Ann'],
    [{ displayName: '  ' }, null],
    [{}, null],
  ])('of %j is %j, and follows', async (sent, expected) => {
    await okta.create({ userName: 'u', externalId: 'u', ...sent });
    expect(await api.user('u')).toMatchObject({ displayName: expected });
    await okta.patch('u', { op: 'replace', path: 'name.formatted', value: 'Ann Ray' });
    const follows = 'displayName' in sent && sent.displayName === 'A' ? 'A' : 'Ann Ray';
    expect(await api.user('u')).toMatchObject({ displayName: follows });
    await api.done('PATCH', '/users/u', { displayName: 'By hand' });
    await okta.patch('u', { op: 'replace', path: 'title', value: 'Dr' });
    expect(await api.user('u')).toMatchObject({ displayName: 'By hand' });
    await okta.done('PUT', '/Users/u', { userName: 'u', externalId: 'u', ...sent });
    expect(await api.user('u')).toMatchObject({ displayName: expected });
  });
});
