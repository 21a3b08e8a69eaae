import type { HeldPermissionsDto } from '../../src/users/dto/held-permissions.dto';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { Sealer } from '../../src/journal/sealer';
import { DeliveryWorker } from '../../src/webhooks/delivery-worker';
import { StatementLog } from '../database/statement-log';
import { ask } from '../support/ask';
import { Receiver } from '../webhooks/receiver';
import { type Provider, type Resource, ScimApi } from './scim-api';

const api = ScimApi.forEachTest({
  environment: { JWT_SERVICE_SUBJECTS: 'payroll,calling-service', WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const work = (value: string, primary = true) => ({ value, type: 'work', primary });
const userOf = (id: string) =>
  api.done<{ id: string; email: string | null; displayName: string | null; type: string; status: string }>(
    'GET',
    `/users/${encodeURIComponent(id)}`,
  );

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

describe('what Okta does', () => {
  it('succeeds: a test of the connection, a joiner, a mover and a leaver', async () => {
    expect(await okta.list({ startIndex: '1', count: '2' })).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...{ totalResults: 0, itemsPerPage: 0, startIndex: 1, Resources: [] },
    });
    const filter = { filter: 'userName eq "ann@x.io"', startIndex: '1', count: '100' };
    expect((await okta.list(filter)).Resources).toEqual([]);

    const sent = {
      schemas: [CORE],
      userName: 'ann@x.io',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [work('ann@x.io')],
      displayName: 'Ann Lee',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const answer = await okta.call('POST', '/Users', sent);
    const kept = { ...sent, groups: undefined, password: undefined };
    const made = JSON.parse(answer.text) as Resource;
    const location = `${api.service.url}/scim/v2/Users/00u1`;
    expect([answer.status, answer.headers.get('location'), answer.headers.get('etag')]).toEqual([
      201,
      location,
      made.meta.version,
    ]);
    expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(made).toEqual({
      ...kept,
      id: '00u1',
      meta: {
        resourceType: 'User',
        created: expect.stringMatching(/Z$/),
        lastModified: made.meta.created,
        location,
        version: expect.stringMatching(/^"[\w-]{27}"$/),
      },
    });
    expect(await userOf('00u1')).toMatchObject({
      email: 'ann@x.io',
      displayName: 'Ann Lee',
      status: 'active',
      type: 'guest',
    });
    expect(await okta.refusal('POST', '/Users', sent)).toBe('409 uniqueness');
    expect((await okta.list(filter)).Resources).toEqual([made]);
    expect(await okta.done('GET', '/Users/00u1')).toEqual(made);

    const moved = await okta.done('PUT', '/Users/00u1', {
      ...made,
      name: { givenName: 'Ann', familyName: 'Ray' },
      displayName: 'Ann Ray',
    });
    expect(moved).toMatchObject({ displayName: 'Ann Ray', name: { familyName: 'Ray' }, active: true, id: '00u1' });
    expect(await userOf('00u1')).toMatchObject({ displayName: 'Ann Ray' });

    const left = await okta.patch('00u1', { op: 'replace', value: { active: false } });
    expect([left.status, left.text]).toEqual([204, '']);
    const gone = await okta.call('GET', '/Users/00u1');
    expect(gone.headers.get('etag')).toBe(left.headers.get('etag'));
    expect(JSON.parse(gone.text)).toMatchObject({ active: false, displayName: 'Ann Ray' });
    expect(await userOf('00u1')).toMatchObject({ status: 'inactive' });

    const actor = { kind: 'connection', id: okta.connection };
    expect(
      (await api.newestEntries(3)).map((entry) => [entry.action, entry.actor, entry.user, entry.before, entry.after]),
    ).toEqual([
      [
        'user.created',
        actor,
        '00u1',
        null,
        { email: 'ann@x.io', displayName: 'Ann Lee', status: 'active', permissions: [], workspaces: [], groups: [] },
      ],
      ['user.updated', actor, '00u1', { displayName: 'Ann Lee' }, { displayName: 'Ann Ray' }],
      ['user.status.changed', actor, '00u1', { status: 'active' }, { status: 'inactive' }],
    ]);
  });

  it('is refused in the form of SCIM where it must be', async () => {
    await okta.create({ userName: 'ann@x.io' });
    expect(await okta.refusal('GET', '/Users/none')).toBe('404');
    expect(await okta.refusal('POST', '/Users', { userName: 'ANN@x.io' })).toBe('409 uniqueness');
    expect(await okta.refusal('POST', '/Users', { displayName: 'Ann' })).toBe('400 invalidValue');
    await okta.create({ userName: 'bo@x.io', externalId: 'bo' });
    expect(await okta.refusal('PUT', '/Users/bo', { userName: 'Ann@x.io' })).toBe('409 uniqueness');
    const rename = (userName: string) => ({ Operations: [{ op: 'replace', path: 'userName', value: userName }] });
    expect(await okta.refusal('PATCH', '/Users/bo', rename('ANN@X.IO'))).toBe('409 uniqueness');
    expect(await okta.refusal('PATCH', '/Users/bo', rename('BO@x.io'))).toBe('204');
    expect(await okta.refusal('GET', '/Users', undefined, { authorization: 'Bearer none' })).toBe('401');
    expect(await okta.refusal('GET', '/Users', undefined, { authorization: '' })).toBe('401');
  });
});

describe('what Entra ID does', () => {
  it('succeeds: flags, words for booleans, paths of all kinds, and a user who is read while inactive', async () => {
    const random = '/Users?filter=' + encodeURIComponent('userName eq "3e8a4c9d-0000-4000-8000-000000000000"');
    expect(await okta.done(`GET`, `${random}&aadOptscim062020`)).toMatchObject({ totalResults: 0, Resources: [] });
    expect(await okta.refusal('GET', '/Users/3e8a4c9d-0000-4000-8000-000000000000?aadOptscim062020')).toBe('404');
    const { id } = await okta.create({
      schemas: [CORE, ENTERPRISE],
      externalId: 'a1b2',
      userName: 'bo@x.io',
      active: 'True',
      emails: [{ primary: 'True', type: 'work', value: 'bo@x.io' }],
      name: { formatted: 'Bo Li', familyName: 'Li', givenName: 'Bo' },
      meta: { resourceType: 'User' },
      [ENTERPRISE]: { employeeNumber: '7', department: 'Sales' },
    });
    const answer = await okta.patch(
      id,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'bo.li@x.io' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
      { op: 'Replace', path: `${ENTERPRISE}:manager`, value: 'boss' },
      { op: 'Replace', path: 'name.familyName', value: 'Lin' },
      { op: 'Add', value: { displayName: 'Bo', [`${ENTERPRISE}:costCenter`]: 'C' } },
      { op: 'Remove', path: `${ENTERPRISE}:department` },
      { op: 'Replace', path: 'active', value: 'False' },
    );
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await okta.done('GET', `/Users/${id}`)).toMatchObject({
      schemas: [CORE, ENTERPRISE],
      active: false,
      displayName: 'Bo',
      name: { formatted: 'Bo Li', familyName: 'Lin', givenName: 'Bo' },
      emails: [{ primary: true, type: 'work', value: 'bo.li@x.io' }],
      phoneNumbers: [{ type: 'mobile', value: '1' }],
      [ENTERPRISE]: { employeeNumber: '7', costCenter: 'C', manager: { value: 'boss' } },
    });
    expect(await userOf('a1b2')).toMatchObject({ email: 'bo.li@x.io', displayName: 'Bo', status: 'inactive' });
    const found = await okta.list({ filter: 'externalId eq "a1b2"', attributes: 'id,active' });
    expect(found.Resources).toEqual([{ schemas: [CORE, ENTERPRISE], id, active: false }]);
    const shown = await okta.call('PATCH', `/Users/${id}?attributes=title`, {
      Operations: [{ op: 'add', path: 'title', value: 'Dr' }],
    });
    expect([shown.status, JSON.parse(shown.text)]).toEqual([200, { schemas: [CORE, ENTERPRISE], id, title: 'Dr' }]);
    expect((await okta.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await okta.refusal('DELETE', `/Users/${id}`)).toBe('404');
  });
});

describe('the id of a new user', () => {
  it.each([
    ['externalId', { userName: 'u', externalId: 'auth0|5f7c/x y' }, 'auth0|5f7c/x y'],
    ['externalId', { userName: 'u' }, UUID],
    ['externalId', { userName: 'u', externalId: '' }, UUID],
    ['externalId', { userName: 'u', externalId: 'x'.repeat(256) }, UUID],
    ['externalId', { userName: 'u', externalId: 'known' }, UUID],
    ['userName', { userName: 'u', externalId: 'e' }, 'u'],
    ['userName', { userName: 'u'.repeat(300) }, UUID],
  ])('comes from %s: of %j it is %s', async (idFrom, user, expected) => {
    const provider = await api.provider({ idFrom });
    await provider.create({ userName: 'other', externalId: 'known' });
    const { id, meta } = await provider.create(user);
    expect(id).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    expect(await userOf(id)).toMatchObject({ id });
    expect(await ask(meta.location, { headers: { authorization: `Bearer ${provider.token}` } })).toMatchObject({
      status: 200,
    });
  });

  it('stays as the id of SCIM when the user gets another one, and is given to no other user of the connection', async () => {
    const { id } = await okta.create({ userName: 'ann', externalId: 'old' });
    await api.service.dataSource.query(`UPDATE users SET id = 'new' WHERE id = 'old'`);
    expect(await okta.done('GET', `/Users/${id}`)).toMatchObject({ id: 'old' });
    expect((await okta.patch(id, { op: 'replace', path: 'displayName', value: 'Ann' })).status).toBe(204);
    expect(await userOf('new')).toMatchObject({ displayName: 'Ann' });
    expect((await okta.create({ userName: 'bo', externalId: 'old' })).id).toMatch(UUID);
    // Somebody else gets the old id by hand, and is taken over by email.
    await api.done('POST', '/users', { id: 'old', email: 'cy@x.io' });
    const cy = await okta.create({ userName: 'cy', emails: [work('cy@x.io')] });
    expect(cy.id).toMatch(UUID);
    expect(await okta.done('GET', `/Users/${cy.id}`)).toMatchObject({ userName: 'cy' });
    await okta.patch(cy.id, { op: 'replace', value: { active: false } });
    expect([(await userOf('old')).status, (await userOf('new')).status]).toEqual(['inactive', 'active']);
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
    expect(await userOf('ben')).toMatchObject({ email: 'new@x.io', displayName: 'Ben' });
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
    expect(await userOf('cyd')).toMatchObject({ email: 'CYD@x.io', displayName: 'cyd', status: 'active' });
    expect((await api.call('GET', '/users/00u9')).status).toBe(404);
  });

  it('is not taken over half: the id of one and the email of another are refused', async () => {
    const both = { userName: 'b', externalId: 'ben', emails: [work('max@x.io')] };
    expect(await okta.refusal('POST', '/Users', both)).toBe('409 uniqueness');
    expect(await okta.list()).toMatchObject({ totalResults: 0 });
    expect(await userOf('ben')).toMatchObject({ email: 'ben@x.io' });
  });
});

describe('our email', () => {
  it.each([
    ['the primary one', [work('a@x.io', false), { value: 'b@x.io', primary: true }], 'b@x.io'],
    ['else the first for work', [{ value: 'a@x.io' }, work('b@x.io', false)], 'b@x.io'],
    ['else the first', [{ value: 'a@x.io', type: 'home' }, { value: 'b@x.io' }], 'a@x.io'],
    ['none that cannot be one', [work('mailto:a@x.io'), { value: 'b@x.io' }], null],
    ['none with a no-break space', [work('a\u00a0@x.io')], null],
    ['none of another user of the connection', [work('TAKEN@x.io')], null],
    ['none', undefined, null],
  ])('is %s', async (_, emails, expected) => {
    await okta.create({ userName: 'other', externalId: 'other', emails: [work('taken@x.io')] });
    const made = await okta.create({ userName: 'u', externalId: 'u', emails });
    expect(made.emails).toEqual(emails);
    expect(await userOf('u')).toMatchObject({ email: expected });
    await okta.done('PUT', '/Users/u', { userName: 'u', emails: [work('own@x.io')] });
    expect(await okta.done('PUT', '/Users/u', { userName: 'u', emails })).not.toHaveProperty('externalId');
    expect(await userOf('u')).toMatchObject({ email: expected });
  });

  it('of any other user is refused, and a patch of something else leaves what an administrator changed', async () => {
    await api.done('PATCH', '/users/max', { email: 'max@x.io' });
    await okta.create({ userName: 'u', externalId: 'u', emails: [work('u@x.io')] });
    expect(await okta.refusal('PUT', '/Users/u', { userName: 'u', emails: [work('max@x.io')] })).toBe('409 uniqueness');
    await api.done('PATCH', '/users/u', { email: 'by-hand@x.io', displayName: 'By hand' });
    await okta.patch('u', { op: 'add', path: 'title', value: 'Dr' });
    expect(await userOf('u')).toMatchObject({ email: 'by-hand@x.io', displayName: 'By hand' });
    await okta.done('PUT', '/Users/u', { userName: 'u', displayName: 'U', emails: [work('u@x.io')] });
    expect(await userOf('u')).toMatchObject({ email: 'u@x.io', displayName: 'U' });
  });
});

describe('whether a user is active', () => {
  const statusOf = async () => (await userOf('u')).status;
  const setByHand = (status: string) => api.done('POST', '/users/status-assign', { userIds: ['u'], status });

  it('changes only where the provider says something else than last', async () => {
    const whole = { userName: 'u', externalId: 'u', active: true };
    await okta.create(whole);
    await setByHand('inactive');
    await okta.done('PUT', '/Users/u', { ...whole, title: 'Dr' });
    await okta.patch('u', { op: 'replace', path: 'active', value: true });
    await okta.patch('u', { op: 'replace', path: 'title', value: 'Prof' });
    expect([await statusOf(), (await okta.done('GET', '/Users/u')).active]).toEqual(['inactive', false]);
    await okta.done('PUT', '/Users/u', { ...whole, active: false });
    await okta.done('PUT', '/Users/u', whole);
    expect(await statusOf()).toBe('active');
    await okta.patch('u', { op: 'replace', value: { active: false } });
    await setByHand('active');
    await okta.done('PUT', '/Users/u', { userName: 'u', externalId: 'u' });
    expect(await statusOf()).toBe('active');
  });

  it('always counts in a POST', async () => {
    await okta.create({ userName: 'u', externalId: 'u', active: false });
    expect(await statusOf()).toBe('inactive');
    await okta.done('DELETE', '/Users/u');
    await setByHand('active');
    await okta.create({ userName: 'u', externalId: 'u', active: false });
    expect(await statusOf()).toBe('inactive');
  });
});

describe('an administrator', () => {
  const activeAdministrators = async () =>
    (await api.service.dataSource.query(
      `SELECT id FROM users WHERE type = 'administrator' AND status = 'active' ORDER BY id`,
    )) as { id: string }[];
  const makeAdministrator = (id: string) => api.done('PATCH', `/users/${id}`, { permissions: ['administer'] });

  it('is not taken over by id or email, nor changed or activated, and nothing is written', async () => {
    await api.done('PATCH', '/users/zoe', { email: 'zoe@x.io' });
    await okta.create({ userName: 'a', externalId: 'a' });
    await makeAdministrator('a');
    const before = await api.service.dataSource.query('SELECT * FROM users ORDER BY key');
    for (const [method, path, body] of [
      ['POST', '', { userName: 'z', externalId: 'zoe' }],
      ['POST', '', { userName: 'z', externalId: 'zoe', active: false }],
      ['POST', '', { userName: 'z', emails: [work('ZOE@x.io')] }],
      ['POST', '', { userName: 'z', externalId: 'old-admin', active: true }],
      ['POST', '', { userName: 'z', externalId: 'payroll' }],
      ['PUT', '/a', { userName: 'a', externalId: 'a', emails: [work('evil@x.io')] }],
      ['PUT', '/a', { userName: 'b', externalId: 'a' }],
      ['PATCH', '/a', { Operations: [{ op: 'add', path: 'title', value: 'x' }] }],
    ] as const)
      expect([body, await okta.refusal(method, `/Users${path}`, body)]).toEqual([body, '403']);
    expect(await api.service.dataSource.query('SELECT * FROM users ORDER BY key')).toEqual(before);
    // What changes nothing is no change.
    await okta.done('PUT', '/Users/a', { userName: 'a', externalId: 'a', active: true });
  });

  it('is always deactivated, with nothing else of the record, and not activated again', async () => {
    const whole = { userName: 'a', externalId: 'a', emails: [work('a@x.io')] };
    await okta.create(whole);
    await makeAdministrator('a');
    await okta.done('PUT', '/Users/a', { ...whole, emails: [work('evil@x.io')], active: false });
    expect(await userOf('a')).toMatchObject({ status: 'inactive', email: 'a@x.io' });
    expect(await okta.refusal('PATCH', '/Users/a', { Operations: [{ op: 'replace', value: { active: true } }] })).toBe(
      '403',
    );
    expect(await userOf('a')).toMatchObject({ status: 'inactive' });
    expect((await okta.call('DELETE', '/Users/a')).status).toBe(204);
  });

  it('may be kept by a connection that may, but the last one stays', async () => {
    const may = await api.provider({ mayGrantAdministrator: true });
    expect(await may.create({ userName: 'z', externalId: 'zoe' })).toMatchObject({ id: 'zoe', active: true });
    expect(await may.create({ userName: 'p', externalId: 'payroll' })).toMatchObject({ id: 'payroll' });
    await may.done('PUT', '/Users/zoe', { userName: 'z', displayName: 'Zoe', active: false });
    await may.done('PUT', '/Users/zoe', { userName: 'z', displayName: 'Zoe', active: true });
    await api.done('POST', '/users/status-assign', { userIds: ['ada'], status: 'inactive' }).catch(() => undefined);
    expect(await activeAdministrators()).toEqual([{ id: 'zoe' }]);
    expect(
      await may.refusal('PATCH', '/Users/zoe', { Operations: [{ op: 'replace', value: { active: false } }] }),
    ).toBe('409');
    expect(await may.refusal('DELETE', '/Users/zoe')).toBe('409');
    expect(await activeAdministrators()).toEqual([{ id: 'zoe' }]);
    expect(await may.done('GET', '/Users/zoe')).toMatchObject({ active: true });
  });
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
      `INSERT INTO scim_memberships SELECT c.key, m.user_key, m.workspace_key, NULL FROM scim_connections c, workspace_memberships m;
       INSERT INTO scim_memberships SELECT c.key, m.user_key, m.workspace_key, m.group_key
       FROM scim_connections c, group_memberships m JOIN groups g ON g.key = m.group_key WHERE g.id <> 'atlas-writers'`,
    );
    await okta.done('DELETE', '/Users/u');
    expect(await directory.state()).toMatchObject({ workspaces: ['u in atlas'], groups: ['u in atlas-writers'] });
    expect(await userOf('u')).toMatchObject({ status: 'inactive', type: 'member' });
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

describe('the version of a user', () => {
  it('is asked for by If-Match and If-None-Match, and changes with every change', async () => {
    const made = await okta.create({ userName: 'u', externalId: 'u' });
    const { version } = made.meta;
    const conditional = (method: string, headers: object, body?: unknown) =>
      okta.call(method, '/Users/u', body, headers);
    expect((await conditional('GET', { 'if-none-match': version })).status).toBe(304);
    const put = await conditional('PUT', { 'if-match': version }, { userName: 'u', title: 'Dr' });
    expect(put.status).toBe(200);
    expect(put.headers.get('etag')).not.toBe(version);
    for (const [method, body] of [
      ['PUT', { userName: 'u' }],
      ['PATCH', { Operations: [{ op: 'add', value: { title: 'x' } }] }],
      ['DELETE', undefined],
    ] as const)
      expect(await okta.refusal(method, '/Users/u', body, { 'if-match': version })).toBe('412');
    expect(await okta.done('GET', '/Users/u')).toMatchObject({ title: 'Dr' });
    const stays = await okta.call('PUT', '/Users/u', { userName: 'u', title: 'Dr' }, { 'if-match': '*' });
    expect(stays.headers.get('etag')).toBe(put.headers.get('etag'));
  });
});

describe('the list of users', () => {
  const names = ({ Resources }: { Resources: Resource[] }) => Resources.map(({ userName }) => userName);

  beforeEach(async () => {
    for (const n of [1, 2, 3, 4, 5])
      await okta.create({
        userName: `u${n}`,
        externalId: `e${n}`,
        active: n !== 5,
        emails: [work(`u${n}@x.io`), { value: `h${n}@y.io`, type: 'home' }],
        name: { familyName: `F${n % 2}` },
      });
  });

  it('is read by index, and by cursor', async () => {
    expect(await okta.list({ startIndex: '2', count: '2' })).toMatchObject({
      totalResults: 5,
      itemsPerPage: 2,
      startIndex: 2,
    });
    expect(names(await okta.list({ startIndex: '2', count: '2' }))).toEqual(['u2', 'u3']);
    expect(names(await okta.list({ startIndex: '-7', count: '1' }))).toEqual(['u1']);
    expect(await okta.list({ startIndex: '6' })).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await okta.list({ count: '0' })).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await okta.list({ count: '-1' })).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
    expect(names(await okta.list({ count: '1000000' }))).toHaveLength(5);

    const seen: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await okta.list({ cursor, count: '2', filter: 'active eq true' });
      seen.push(...names(page));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['u1', 'u2', 'u3', 'u4']);
    const { nextCursor = '' } = await okta.list({ cursor: '', count: '2' });
    for (const [query, refusal] of [
      [{ cursor: 'none' }, '400 invalidCursor'],
      [{ cursor: nextCursor, filter: 'active eq true' }, '400 invalidCursor'],
      [{ count: 'many' }, '400 invalidValue'],
      [{ filter: 'userName eq' }, '400 invalidFilter'],
      [{ filter: 'password eq "x"' }, '400 invalidFilter'],
      [{ filter: '('.repeat(900) }, '400 invalidFilter'],
      [{ filter: `userName eq "${'x'.repeat(1_000)}"` }, '400 invalidFilter'],
    ] as const)
      expect(await okta.refusal('GET', `/Users?${new URLSearchParams(query).toString()}`)).toBe(refusal);
    const entra = await api.provider();
    expect(await entra.refusal('GET', `/Users?cursor=${nextCursor}`)).toBe('400 invalidCursor');
  });

  it.each([
    ['userName eq "U2"', ['u2']],
    ['externalId eq "e2"', ['u2']],
    ['externalId eq "E2"', []],
    ['id eq "e2"', ['u2']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "u2"', ['u2']],
    ['emails eq "U3@x.io"', ['u3']],
    ['emails.value eq "h3@y.io"', ['u3']],
    ['emails[type eq "work"].value eq "u3@x.io"', ['u3']],
    ['emails[type eq "home"].value eq "u3@x.io"', []],
    ['emails[type eq "home" and value co "@x"]', []],
    ['emails.value eq "u1@x.io" or userName eq "u2"', ['u1', 'u2']],
    ['userName eq "u1" and active eq false', []],
    ['not (userName sw "u1") and active eq true', ['u2', 'u3', 'u4']],
    ['active eq "False"', ['u5']],
    ['name.familyName eq "f0"', ['u2', 'u4']],
    ['displayName pr', []],
    ['meta.created gt "2020-01-01T00:00:00Z" and userName ew "3"', ['u3']],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
    [`userName eq "'; DROP TABLE users; --"`, []],
    ['userName eq "u1\\u0000"', []],
  ])('finds by %s', async (filter, expected) => {
    expect(names(await okta.list({ filter }))).toEqual(expected);
    expect(names(await okta.list({ filter, cursor: '' }))).toEqual(expected);
    expect(await okta.list({ filter, count: '0' })).toMatchObject({ totalResults: expected.length });
  });
});

describe('the door of SCIM', () => {
  it('opens to nothing but the newest two tokens of a connection that exists', async () => {
    const statusOf = async (token: string) => (await api.send(token, 'GET', '/scim/v2/Users')).status;
    const rotate = async (overlap: number) =>
      (await api.done<{ token: string }>('POST', `/scim-connections/${okta.connection}/token`, { overlap })).token;
    expect(await statusOf(api.service.tokenOf('ada'))).toBe(401);
    expect(await statusOf(api.service.serviceToken())).toBe(401);
    expect(await statusOf(`scim_${'A'.repeat(43)}`)).toBe(401);
    const second = await rotate(60);
    expect([await statusOf(okta.token), await statusOf(second)]).toEqual([200, 200]);
    const third = await rotate(60);
    expect([await statusOf(okta.token), await statusOf(second), await statusOf(third)]).toEqual([401, 200, 200]);
    const fourth = await rotate(0);
    expect([await statusOf(third), await statusOf(fourth)]).toEqual([401, 200]);
    const path = `/scim-connections/${okta.connection}`;
    expect(await api.done('GET', path)).toMatchObject({ lastUsedAt: expect.stringMatching(/Z$/) });
    await api.done('DELETE', path);
    expect(await statusOf(fourth)).toBe(401);
  });

  it('closes with the workspace, and users stay', async () => {
    await okta.create({ userName: 'u', externalId: 'u' });
    await api.done('DELETE', '/workspaces/atlas');
    expect(await okta.refusal('GET', '/Users')).toBe('401');
    expect(await userOf('u')).toMatchObject({ status: 'active' });
    const entra = await api.provider({ workspace: 'borealis' });
    expect(await entra.create({ userName: 'u', externalId: 'u' })).toMatchObject({ id: 'u' });
  });

  it.each([
    ['{"__proto__":{"userName":"x"}}', '400 invalidValue'],
    ['{"userName":"x","constructor":{"prototype":{"polluted":true}},"__proto__":{"polluted":true}}', ''],
    ['[]', '400 invalidSyntax'],
    ['null', '400 invalidSyntax'],
    ['{', '400 invalidSyntax'],
    ['{"userName":7}', ''],
    ['{"userName":true}', '400 invalidValue'],
    ['{"userName":""}', '400 invalidValue'],
    ['{"userName":"a\\u0000b"}', '400 invalidValue'],
    ['{"userName":"a","active":"yes"}', '400 invalidValue'],
    ['{"userName":"a","name":"x"}', '400 invalidValue'],
    [`{"userName":"${'x'.repeat(321)}"}`, '400 invalidValue'],
    [`{"userName":"a","displayName":"${'x'.repeat(256)}"}`, '400 invalidValue'],
  ])('takes a body of any kind: %s', async (body, refusal) => {
    const answer = await okta.refusal('POST', '/Users', body);
    expect(answer).toBe(refusal || '201');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('a connection as an actor', () => {
  it('is told by webhooks, by the journal and by the sources of permissions', async () => {
    const receiver = await Receiver.open();
    await api.done('POST', '/webhooks', { url: receiver.url, events: ['user.created', 'user.status.changed'] });
    await okta.create({ userName: 'u', externalId: 'u' });
    await okta.patch('u', { op: 'replace', value: { active: false } });
    const actor = { kind: 'connection', id: okta.connection };
    const received = await receiver.got(2);
    expect(received.map(({ event: { type, subject, data } }) => [type, subject, data.actor])).toEqual([
      ['user.created', 'u', actor],
      ['user.status.changed', 'u', actor],
    ]);
    await receiver.close();
    const { entries } = await api.done<JournalPageDto>('GET', `/journal?actor=${okta.connection}`);
    expect(entries.map(({ action }) => action)).toEqual(['user.status.changed', 'user.created']);

    await api.done('POST', '/workspaces', { id: 'delta', name: 'Delta', permissions: ['read'] });
    await api.service.dataSource.query(
      `SELECT assign_users('{u}', '{delta}', '{}', NULL, false, false, 'connection', $1, NULL, NULL, NULL, NULL)`,
      [okta.connection],
    );
    expect(await api.done<HeldPermissionsDto>('GET', '/users/u/permissions')).toMatchObject({
      permissions: [{ id: 'read', sources: [{ kind: 'workspace', id: 'delta', actor, reason: null }] }],
    });
  });
});

describe('the statements of a request', () => {
  it('are as many for any user and any number of users', async () => {
    await api.service.app.get(DeliveryWorker).beforeApplicationShutdown();
    await api.service.app.get(Sealer).beforeApplicationShutdown();
    const log = StatementLog.of(api.service.dataSource);
    const user = (n: number) => ({
      userName: `u${n}`,
      externalId: `u${n}`,
      displayName: 'U',
      emails: [work(`u${n}@x.io`)],
    });
    const counts = async (n: number) => {
      const of = async (request: Promise<unknown>) => {
        await request;
        return log.take().length;
      };
      log.take();
      return [
        await of(okta.create(user(n))),
        await of(okta.done('PUT', `/Users/u${n}`, { ...user(n), displayName: 'V', emails: [work(`v${n}@x.io`)] })),
        await of(okta.patch(`u${n}`, { op: 'replace', value: { active: false } })),
        await of(okta.list()),
        await of(okta.done('GET', `/Users/u${n}`)),
        await of(okta.done('DELETE', `/Users/u${n}`)),
      ];
    };
    const first = await counts(1);
    for (let n = 2; n < 40; n++) await okta.create(user(n));
    expect(await counts(100)).toEqual(first);
    expect(Math.max(...first)).toBeLessThanOrEqual(20);
  });
});
