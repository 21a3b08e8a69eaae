import { openApiFile } from '../support/declared-answers';
import { ask, NOT_PERMITTED } from '../support/ask';
import { WaitingFollowers } from '../../src/journal/waiting-followers';
import { eventually } from '../support/eventually';
import { startTestService, useTestService, type TestService } from '../support/test-service';

const FORBIDDEN = '{"status":403,"message":"Only an administrator can do this."}';
const READ = 'users.read';

const service = useTestService();

beforeAll(async () => {
  const { directory } = service;
  await directory.permission(READ, 'guest');
  await directory.permission('administer', 'administrator');
  await directory.workspace('audit', [READ]);
  await directory.workspace('atlas');
  await directory.group('atlas-auditors', 'atlas', [READ]);
  await directory.user('ada', { type: 'administrator', permissions: ['administer', READ] });
  await directory.user('rita', { permissions: [READ] });
  await directory.user('wim');
  await directory.member('wim', 'audit');
  await directory.user('gus');
  await directory.member('gus', 'atlas', ['atlas-auditors']);
  await directory.user('mo');
  await directory.member('mo', 'atlas');
  await directory.user('ina', { status: 'inactive', permissions: [READ] });
  await directory.user('x');
});

function call(token: string, method: string, path: string, body?: object, base = service.url) {
  return ask(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const reading = () => service.tokenOf('auditor', { scope: 'users:read' });
const READERS: [string, () => string][] = [
  ['a user who holds the permission', () => service.tokenOf('rita')],
  ['a user who holds it through a workspace', () => service.tokenOf('wim')],
  ['a user who holds it through a group', () => service.tokenOf('gus')],
  ['a service', reading],
  ['a service with other scopes', () => service.tokenOf('auditor', { scope: 'openid users:read profile' })],
];

/** Every operation below /api of the document. */
const operations = Object.entries(openApiFile.paths).flatMap(([path, methods]) =>
  Object.keys(methods).flatMap((method) => (path.startsWith('/api/') ? [[method.toUpperCase(), path] as const] : [])),
);
const isFor = (path: string) => !/^\/api\/(scim-connections|webhooks|me$)/.test(path);
/** The register ends with the time of its snapshot, which is another one in each answer. */
const withoutTime = (text: string) => text.replace(/("end":{"lines":\d+,"at":)"[^"]*"/, '$1null');
const at = (path: string) => path.replace(/\{\w+\}/g, 'x');

describe.each(READERS)('%s', (_, tokenOf) => {
  it('reads all that an administrator reads, but connections and webhooks', async () => {
    const gets = operations.filter(([method]) => method === 'GET');
    expect(gets.length).toBeGreaterThan(15);
    for (const [, path] of gets) {
      const answer = await call(tokenOf(), 'GET', at(path));
      if (isFor(path)) {
        const { status, text } = await call(service.tokenOf('ada'), 'GET', at(path));
        expect([path, answer.status, withoutTime(answer.text)]).toEqual([path, status, withoutTime(text)]);
      } else if (path !== '/api/me') expect([path, answer.status, answer.text]).toEqual([path, 403, FORBIDDEN]);
    }
  });

  it('changes nothing, also not by a dry run', async () => {
    const others = operations.filter(([method, path]) => method !== 'GET' && path !== '/api/users/manage-status');
    expect(others.length).toBeGreaterThan(20);
    for (const [method, path] of others)
      for (const query of ['', '?dryRun=true']) {
        const { status, text } = await call(tokenOf(), method, at(path) + query, {
          userIds: ['mo'],
          workspaces: ['atlas'],
        });
        expect([method, path, query, status, text]).toEqual([method, path, query, 403, FORBIDDEN]);
      }
  });

  it('is told by GET /api/me', async () => {
    const { text } = await call(tokenOf(), 'GET', '/api/me');
    expect(JSON.parse(text)).toMatchObject({ administrator: false, mayRead: true });
  });

  it('follows the journal', async () => {
    const { status, text } = await call(tokenOf(), 'GET', '/api/journal?after=now&wait=0');
    expect([status, JSON.parse(text)]).toMatchObject([200, { entries: [] }]);
  });

  it('grants nobody a change of a status', async () => {
    const token = tokenOf();
    for (const caller of [token, service.tokenOf('mo'), service.tokenOf('ada')]) {
      const { status, text } = await call(caller, 'POST', '/api/users/manage-status', { id: 'mo', token });
      expect([status, text]).toEqual([401, NOT_PERMITTED]);
    }
  });
});

describe('GET /api/me', () => {
  it('stays as it was for everybody else', async () => {
    const keysOf = async (token: string) =>
      Object.keys(JSON.parse((await call(token, 'GET', '/api/me')).text) as object);
    expect(await keysOf(service.tokenOf('ada'))).toEqual(['kind', 'id', 'administrator', 'user']);
    expect(await keysOf(service.tokenOf('mo'))).toEqual(['kind', 'id', 'administrator', 'user']);
    expect(await keysOf(service.serviceToken())).toEqual(['kind', 'id', 'administrator']);
    expect(await keysOf(service.tokenOf('both', { scope: 'users:read users:administer' }))).toEqual([
      'kind',
      'id',
      'administrator',
    ]);
    expect(JSON.parse((await call(reading(), 'GET', '/api/me')).text)).toEqual({
      kind: 'service',
      id: 'auditor',
      administrator: false,
      mayRead: true,
    });
  });
});

describe('a caller of manage-status who reads', () => {
  it('is judged as any user: a status token of an administrator works', async () => {
    const body = { id: 'mo', status: 'inactive' };
    for (const caller of [reading(), service.tokenOf('rita')]) {
      const { text } = await call(service.tokenOf('ada'), 'POST', '/api/users/status-tokens', body);
      const { token } = JSON.parse(text) as { token: string };
      const { status } = await call(caller, 'POST', '/api/users/manage-status', { id: 'mo', token });
      expect(status).toBe(200);
      await service.dataSource.query(`UPDATE users SET status = 'active' WHERE id = 'mo'`);
    }
  });
});

describe('who reads', () => {
  it.each([
    ['a user who does not hold the permission', () => service.tokenOf('mo'), 403],
    ['a user with the scope', () => service.tokenOf('mo', { scope: 'users:read' }), 403],
    ['an inactive user', () => service.tokenOf('ina'), 401],
    ['a service with another scope', () => service.tokenOf('auditor', { scope: 'users:reads' }), 401],
    ['a subject without a record or a scope', () => service.tokenOf('nobody'), 401],
  ])('is not %s', async (_, tokenOf, status) => {
    for (const path of ['/api/users', '/api/journal', '/api/users/x/permissions', '/api/groups/x'])
      expect((await call(tokenOf(), 'GET', path)).status).toBe(status);
  });

  it('is decided by what is held at the moment', async () => {
    const { dataSource } = service;
    const ask = async () => (await call(service.tokenOf('wim'), 'GET', '/api/users?limit=1')).status;
    expect(await ask()).toBe(200);
    await dataSource.query(`DELETE FROM workspace_permissions`);
    expect(await ask()).toBe(403);
    await dataSource.query(
      `INSERT INTO workspace_permissions (workspace_key, permission_key)
       SELECT w.key, p.key FROM workspaces AS w, permissions AS p WHERE w.id = 'audit' AND p.id = $1`,
      [READ],
    );
    expect(await ask()).toBe(200);
    await dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'wim'`);
    expect(await ask()).toBe(401);
    await dataSource.query(`UPDATE users SET status = 'active' WHERE id = 'wim'`);
  });

  it('is judged again after waiting for the journal', async () => {
    const { next } = JSON.parse((await call(reading(), 'GET', '/api/journal?after=now')).text) as { next: string };
    const path = `/api/journal?after=${next}&wait=25&user=mo`;
    const kept = call(service.tokenOf('rita'), 'GET', path);
    const lost = call(service.tokenOf('gus'), 'GET', path);
    await eventually(() => expect(service.app.get(WaitingFollowers).waiting).toBe(2));
    await service.dataSource.query('DELETE FROM group_permissions');
    const { status } = await call(service.tokenOf('ada'), 'PATCH', '/api/users/mo', { displayName: 'Mo' });
    expect([status, (await kept).status, (await lost).status]).toEqual([200, 200, 403]);
    expect((await lost).text).toBe(FORBIDDEN);
  });
});

describe('with settings of its own', () => {
  let own: TestService;
  beforeAll(async () => {
    const environment = {
      JWT_READ_SCOPE: 'look',
      READ_PERMISSION: 'audit',
      JWT_SERVICE_SUBJECTS: 'auditor',
    };
    own = await startTestService({ environment });
    await own.directory.permission('audit', 'guest');
    await own.directory.permission(READ, 'guest');
    await own.directory.user('ann', { permissions: ['audit'] });
    await own.directory.user('bob', { permissions: [READ] });
  });
  afterAll(() => own.close());

  it.each([
    ['a listed service', () => own.tokenOf('auditor', { scope: 'look' }), 200],
    ['a listed service with the default scope', () => own.tokenOf('auditor', { scope: 'users:read' }), 401],
    ['a service that is not listed', () => own.tokenOf('other', { scope: 'look' }), 401],
    ['a user with the permission', () => own.tokenOf('ann'), 200],
    ['a user with the default permission', () => own.tokenOf('bob'), 403],
  ])('answers %s', async (_, tokenOf, status) => {
    expect((await call(tokenOf(), 'GET', '/api/users', undefined, own.url)).status).toBe(status);
  });
});
