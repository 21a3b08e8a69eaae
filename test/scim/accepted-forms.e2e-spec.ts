import { type Provider, type Resource, ScimApi } from './scim-api';

const api = ScimApi.forEachTest();
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

const get = (path: string): Promise<Resource> => okta.done('GET', path);

it.each(['//Users/ann', '/Users//ann', '///Users/ann/', '/Users/ann//', '//Users//ann//?attributes=userName'])(
  'several slashes are one: %s',
  async (path) => {
    await okta.create({ userName: 'ann', externalId: 'ann' });
    expect(await get(path)).toMatchObject({ id: 'ann', userName: 'ann' });
  },
);

it('the address itself is that of the configuration, also behind another slash', async () => {
  const config = await get('/ServiceProviderConfig');
  expect(config.schemas).toEqual(['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig']);
  for (const path of ['', '/', '//', '?aadOptscim062020']) expect(await get(path)).toEqual(config);
  const behind = await api.send(okta.token, 'GET', '//scim//v2//');
  expect([behind.status, JSON.parse(behind.text)]).toEqual([200, config]);
  const refused = await api.send('none', 'GET', '//scim/v2/Users');
  expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/scim+json; charset=utf-8']);
});

it('numbers are text, 1 and 0 are booleans, and strictness has no effect', async () => {
  const sent = {
    userName: 4711,
    externalId: 'ann',
    active: 0,
    favourite: 'none',
    emails: [
      { value: 'ann@x.io', primary: 1 },
      { value: 'ann@y.io', primary: 'TRUE' },
    ],
    [ENTERPRISE]: { employeeNumber: 4711, manager: 'cyd' },
  };
  const answer = await okta.call('POST', '/Users', sent, { prefer: 'handling=strict' });
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([201, null]);
  const kept = {
    userName: '4711',
    active: false,
    emails: [
      { value: 'ann@x.io', primary: false },
      { value: 'ann@y.io', primary: true },
    ],
    [ENTERPRISE]: { employeeNumber: '4711', manager: { value: 'cyd' } },
  };
  expect(JSON.parse(answer.text)).toMatchObject(kept);
  expect((await api.done<{ status: string }>('GET', '/users/ann')).status).toBe('inactive');

  const patch = { Operations: [{ op: 'rEPLACE', path: '', value: { active: 1, favourite: 1, [CORE]: { title: 7 } } }] };
  expect((await okta.call('PATCH', '/Users/ann', patch, { prefer: 'handling=strict' })).status).toBe(204);
  expect(await get('/Users/ann')).toMatchObject({ ...kept, active: true, title: '7' });
  const put = { ...sent, active: undefined, userName: 'ann' };
  expect((await okta.call('PUT', '/Users/ann', put, { prefer: 'handling=strict' })).status).toBe(200);
  const { title, ...replaced } = await get('/Users/ann');
  expect([title, replaced]).toEqual([undefined, expect.objectContaining({ ...kept, userName: 'ann', active: true })]);
});

it.each(['201', '2147483647', '2147483648', '99999999999999999999999'])('a page of %s is one of 200', async (count) => {
  await okta.create({ userName: 'ann' });
  expect(await okta.list({ count })).toMatchObject({ totalResults: 1, itemsPerPage: 1 });
  const beyond = await okta.list({ count, startIndex: count });
  expect(beyond).toMatchObject({ totalResults: 1, itemsPerPage: 0, Resources: [] });
  expect(await okta.done('GET', `/Groups?count=${count}&startIndex=${count}`)).toMatchObject({ Resources: [] });
});

it.each(['1.5', 'x', '--1', '1e3'])('a page of %s is refused', async (count) => {
  expect(await okta.refusal('GET', `/Users?count=${count}`)).toBe('400 invalidValue');
  expect(await okta.refusal('GET', `/Groups?startIndex=${count}`)).toBe('400 invalidValue');
});

it('the schema of groups says that lists leave the members out', async () => {
  const { attributes } = await get(`/Schemas/${GROUP}`);
  expect(attributes).toEqual([
    expect.objectContaining({ name: 'displayName', returned: 'default', required: true }),
    expect.objectContaining({ name: 'members', returned: 'request', multiValued: true }),
  ]);
});

it('userName is required, and is not removed', async () => {
  await okta.create({ userName: 'ann', externalId: 'ann' });
  const before = await get('/Users/ann');
  const patch = (operation: object) => okta.refusal('PATCH', '/Users/ann', { Operations: [operation] });
  expect(await patch({ op: 'Remove', path: `${CORE}:username` })).toBe('400 mutability');
  expect(await patch({ op: 'replace', path: 'userName', value: '' })).toBe('400 invalidValue');
  expect(await okta.refusal('PUT', '/Users/ann', { externalId: 'ann' })).toBe('400 invalidValue');
  expect(await get('/Users/ann')).toEqual(before);
});

it('a user of more than 64 KiB is refused, whichever way it grows', async () => {
  await okta.create({ userName: 'ann', externalId: 'ann', title: 'x'.repeat(60_000) });
  const before = await get('/Users/ann');
  const large = { userName: 'ann', externalId: 'ann', title: 'x'.repeat(70_000) };
  expect(await okta.refusal('POST', '/Users', { ...large, userName: 'bob' })).toBe('413');
  expect(await okta.refusal('PUT', '/Users/ann', large)).toBe('413');
  // Each value takes less in a body than where it is kept.
  const values = {
    roles: Array.from({ length: 500 }, () => 'r'),
    entitlements: Array.from({ length: 500 }, () => 'e'),
  };
  expect(await okta.refusal('PUT', '/Users/ann', { ...large, ...values, title: 'x'.repeat(55_000) })).toBe('413');
  const grow = { Operations: [{ op: 'add', path: 'nickName', value: 'y'.repeat(6_000) }] };
  expect(await okta.refusal('PATCH', '/Users/ann', grow)).toBe('413');
  expect(await get('/Users/ann')).toEqual(before);
});
