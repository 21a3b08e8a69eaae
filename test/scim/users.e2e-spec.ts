import type { HeldPermissionsDto } from '../../src/users/dto/held-permissions.dto';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { Expiry } from '../../src/expiry/expiry';
import { Sealer } from '../../src/journal/sealer';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { StatementLog } from '../database/statement-log';
import { Receiver } from '../webhooks/receiver';
import { type Provider, type Resource, ScimApi, work } from './scim-api';

const api = ScimApi.forEachTest({
  environment: { WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

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
    expect(await api.user('00u1')).toMatchObject({
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
    expect(await api.user('00u1')).toMatchObject({ displayName: 'Ann Ray' });

    const left = await okta.patch('00u1', { op: 'replace', value: { active: false } });
    expect([left.status, left.text]).toEqual([204, '']);
    const gone = await okta.call('GET', '/Users/00u1');
    expect(gone.headers.get('etag')).toBe(left.headers.get('etag'));
    expect(JSON.parse(gone.text)).toMatchObject({ active: false, displayName: 'Ann Ray' });
    expect(await api.user('00u1')).toMatchObject({ status: 'inactive' });

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
    expect(await api.user('a1b2')).toMatchObject({ email: 'bo.li@x.io', displayName: 'Bo', status: 'inactive' });
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
    expect(stays.headers.get('cache-control')).toBe('no-store, no-transform');
    // As proxies that compress send it back.
    const tag = String(stays.headers.get('etag'));
    for (const same of [`W/${tag}`, tag.replace(/"$/, '-gzip"'), `"other", W/${tag.replace(/"$/, ';gzip"')}`]) {
      expect((await conditional('GET', { 'if-none-match': same })).status).toBe(304);
      expect((await conditional('PUT', { 'if-match': same }, { userName: 'u', title: 'Dr' })).status).toBe(200);
    }
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
    expect(await api.user('u')).toMatchObject({ status: 'active' });
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
      `SELECT assign_users('{u}', '{delta}', '{}', NULL, false, false, NULL, 'connection', $1, NULL, NULL, NULL, NULL)`,
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
    await api.service.app.get(Expiry).beforeApplicationShutdown();
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
