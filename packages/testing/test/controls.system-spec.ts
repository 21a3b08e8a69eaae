import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { connect } from 'node:net';
import { DEMO_DIRECTORY } from '../../../src/plugins/transfer/demo-directory';
import { type Ready, startEmulator } from './started-emulator';

/** An object in an object, 50,000 times. */
const DEEP = 'deep';
const TYPE = 'user.workspaces.assigned';

describe('the controls of an emulator', () => {
  let ready: Ready;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    ({ ready, stop } = await startEmulator('--tokens', 'RS256', '--env', 'JWT_AUDIENCE=users'));
  });
  afterAll(async () => expect(await stop()).toEqual([0, null]));
  beforeEach(async () => expect(await post('/reset', {})).toEqual([204, undefined]));

  async function answerOf(response: Response): Promise<[number, unknown]> {
    const text = await response.text();
    return [response.status, text === '' ? undefined : JSON.parse(text)];
  }
  const send = async (path: string, body: string | Uint8Array<ArrayBuffer>, method = 'POST') =>
    answerOf(await fetch(ready.control + path, { method, body }));
  const post = (path: string, body: unknown) => send(path, JSON.stringify(body));
  const get = async (path: string) => answerOf(await fetch(ready.control + path));
  async function tokenOf(body: object): Promise<string> {
    const [status, answer] = await post('/tokens', body);
    expect(status).toBe(200);
    return (answer as { token: string }).token;
  }
  async function call(path: string, token: string, body?: unknown): Promise<[number, unknown]> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return answerOf(
      await fetch(ready.url + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }),
    );
  }
  const assign = (body: object) => call('/api/users/workspace-assign', ready.token, body);
  const memberships = async (user: string) =>
    (
      (await call(`/api/users/${user}/memberships`, ready.token))[1] as { memberships: { workspace: { id: string } }[] }
    ).memberships.map(({ workspace }) => workspace.id);

  it('has its names in one line', () => {
    expect(Object.keys(ready)).toEqual(['url', 'token', 'control', 'issuer', 'jwksUri']);
    expect(ready.control).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([ready.issuer, ready.jwksUri]).toEqual([ready.control, `${ready.control}/jwks.json`]);
  });

  it('describes the issuer, and publishes a key that verifies its tokens as those of production', async () => {
    const [, discovered] = await get('/.well-known/openid-configuration');
    expect(discovered).toEqual({
      issuer: ready.issuer,
      jwks_uri: ready.jwksUri,
      response_types_supported: ['token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
    const [, set] = await get('/jwks.json');
    expect(set).toEqual({
      keys: [{ kty: 'RSA', kid: expect.any(String), use: 'sig', alg: 'RS256', n: expect.any(String), e: 'AQAB' }],
    });
    const token = await tokenOf({ sub: 'ada', claims: { roles: ['a'] } });
    const keys = createRemoteJWKSet(new URL(ready.jwksUri ?? ''));
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: ready.issuer, audience: 'users' });
    expect(payload).toMatchObject({ sub: 'ada', roles: ['a'], iss: ready.issuer, aud: 'users' });
    expect(payload).not.toHaveProperty('client_id');
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(await call('/api/me', token)).toMatchObject([200, { kind: 'user', id: 'ada', administrator: true }]);
    // A service of the ready line, and one of a test. A scope alone makes nobody a service here.
    expect(await call('/api/me', ready.token)).toMatchObject([200, { kind: 'service', id: 'calling-service' }]);
    const reader = await tokenOf({ sub: 'audit', scope: 'users:read' });
    expect(decodeJwt(reader)).toMatchObject({ sub: 'audit', client_id: 'audit', scope: 'users:read' });
    expect(await call('/api/me', reader)).toMatchObject([200, { kind: 'service', id: 'audit', mayRead: true }]);
    const [kid, other] = [
      decodeProtectedHeader(token).kid,
      await tokenOf({ sub: 'x', claims: { client_id: 'y' }, scope: 'users:administer' }),
    ];
    expect((set as { keys: { kid: string }[] }).keys[0]?.kid).toBe(kid);
    expect((await call('/api/me', other))[0]).toBe(401);
  });

  it('makes tokens by the real time, for as long as they are asked for', async () => {
    await post('/clock', { advance: 1_000_000 });
    const { iat, exp } = decodeJwt(await tokenOf({ sub: 'ada', expiresIn: 60 }));
    expect(Number(exp) - Number(iat)).toBe(60);
    expect(Math.abs(Number(iat) * 1_000 - Date.now())).toBeLessThan(60_000);
    expect((await call('/api/me', await tokenOf({ sub: 'ada' })))[0]).toBe(200);
    expect((await call('/api/me', await tokenOf({ sub: 'ada', expiresIn: -60 })))[0]).toBe(401);
  });

  it('moves the clock, and has carried out what ended when it answers', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await assign({ userIds: ['dee'], workspaces: ['cosmos'], until });
    expect(await memberships('dee')).toContain('cosmos');
    const before = Date.now();
    const [status, answer] = await post('/clock', { advance: 3_600.5 });
    expect(status).toBe(200);
    const { now, ...others } = answer as { now: string };
    expect([others, new Date(now).toISOString()]).toEqual([{}, now]);
    expect(Date.parse(now) - before).toBeGreaterThan(3_590_000);
    expect(await memberships('dee')).not.toContain('cosmos');
    expect((await get('/events?type=user.workspaces.unassigned'))[1]).toMatchObject({ events: [{ subject: 'dee' }] });
    const [, again] = await post('/clock', { advance: 0 });
    expect(Date.parse((again as { now: string }).now)).toBeGreaterThanOrEqual(Date.parse(now));
    await post('/reset', {});
    const [, back] = await post('/clock', { advance: 0 });
    expect(Date.parse((back as { now: string }).now)).toBeLessThan(Date.parse(now));
  });

  it('resets to the start, or loads a directory, which is the start from then on', async () => {
    const users = async () =>
      ((await call('/api/users', ready.token))[1] as { users: { id: string }[] }).users.map(({ id }) => id);
    expect(await post('/reset', { directory: [{ user: { id: 'eva' } }, { user: { id: 'flo' } }] })).toEqual([
      204,
      undefined,
    ]);
    expect(await users()).toEqual(['eva', 'flo']);
    await call('/api/users', ready.token, { id: 'gus' });
    expect(await send('/reset', '')).toEqual([204, undefined]);
    expect(await users()).toEqual(['eva', 'flo']);
    expect(
      await post('/reset', { directory: [{ user: { id: 'a' } }, { user: { id: 'b', groups: ['none'] } }] }),
    ).toEqual([
      400,
      { message: expect.stringMatching(/^The directory cannot be loaded\. Line 2: there is no group "none"/) },
    ]);
    expect(await users()).toEqual(['eva', 'flo']);
    expect(await post('/reset', { directory: [] })).toEqual([204, undefined]);
    expect(await users()).toEqual([]);
    // Two at once take turns.
    const demo = [
      { permission: { id: 'users.administer', grants: 'administrator' } },
      { user: { id: 'ada', permissions: ['users.administer'] } },
    ];
    const answers = await Promise.all([
      post('/reset', { directory: demo }),
      post('/reset', {}),
      post('/clock', { advance: 1 }),
    ]);
    expect(answers.map(([status]) => status)).toEqual([204, 204, 200]);
    expect(await users()).toEqual(['ada']);
    expect(await post('/reset', { directory: DEMO_DIRECTORY.map((line) => JSON.parse(line) as object) })).toEqual([
      204,
      undefined,
    ]);
  });

  it('fails the next requests', async () => {
    expect(await post('/fail-next', { status: 503, times: 2, path: '/api/me', method: 'get' })).toEqual([
      204,
      undefined,
    ]);
    expect((await call('/api/users', ready.token))[0]).toBe(200);
    expect((await call('/api/me', ready.token))[0]).toBe(503);
    expect((await call('/api/me', ready.token))[0]).toBe(503);
    expect((await call('/api/me', ready.token))[0]).toBe(200);
  });

  it('tells the events since the start or the last reset, and waits for more', async () => {
    const [status, answer] = await get('/events');
    const { events: none, next } = answer as { events: unknown[]; next: number };
    expect([status, none, typeof next]).toEqual([200, [], 'number']);
    await call('/api/users/status-assign', ready.token, { userIds: ['ben'], status: 'inactive' });
    await assign({ userIds: ['dee'], workspaces: ['cosmos'] });
    const [, all] = await get('/events');
    expect(all).toMatchObject({
      events: [
        { type: 'user.status.changed', subject: 'ben', specversion: '1.0' },
        { type: TYPE, subject: 'dee' },
      ],
    });
    const [, some] = await get(`/events?type=${TYPE}&after=${next}`);
    expect(some).toMatchObject({ events: [{ type: TYPE, subject: 'dee' }], next: (all as { next: number }).next });
    const { next: last } = some as { next: number };
    expect(await get(`/events?after=${last}`)).toEqual([200, { events: [], next: last }]);
    const coming = get(`/events?after=${last}&wait=25&type=${TYPE}`);
    await call('/api/users/status-assign', ready.token, { userIds: ['ben'], status: 'active' });
    await assign({ userIds: ['cyd'], workspaces: ['cosmos'] });
    expect(await coming).toMatchObject([200, { events: [{ type: TYPE, subject: 'cyd' }] }]);
    // An end has no request that could wake who waits.
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await assign({ userIds: ['ben'], workspaces: ['cosmos'], until });
    const [, { next: beforeEnd }] = (await get('/events')) as [number, { next: number }];
    const ended = get(`/events?after=${beforeEnd}&wait=25&type=user.workspaces.unassigned`);
    const began = performance.now();
    await post('/clock', { advance: 3_600 });
    expect(await ended).toMatchObject([200, { events: [{ subject: 'ben' }] }]);
    expect(performance.now() - began).toBeLessThan(20_000);
    const [, { next: end }] = (await get('/events')) as [number, { next: number }];
    expect(await get(`/events?after=${end}&wait=1`)).toEqual([200, { events: [], next: end }]);
    await post('/reset', {});
    expect((await get(`/events?after=${next}`))[1]).toMatchObject({ events: [] });
  });

  it('is ready', async () => {
    expect(await get('/ready')).toEqual([204, undefined]);
    expect((await fetch(`${ready.control}/ready`, { method: 'HEAD' })).status).toBe(204);
  });

  it.each([
    ['/nope', '{}', 404, /^There is no control \/nope\. There are POST \/reset, POST \/tokens, .*GET \/jwks\.json\.$/],
    ['/__proto__', '{}', 404, /^There is no control/],
    ['/reset/', '{}', 404, /^There is no control/],
    ['/ready', '{}', 405, /^POST is not possible here: ask by GET\.$/],
    ['/jwks.json', '{}', 405, /^POST is not possible here/],
    ['/reset', 'nope', 400, /^The body is not JSON in UTF-8/],
    ['/reset', '{"directory":[{"user":{"id":"a"}}', 400, /^The body is not JSON/],
    ['/reset', '[]', 400, /^The body must be a JSON object/],
    ['/reset', 'null', 400, /^The body must be a JSON object/],
    ['/reset', '{"directroy":[]}', 400, /^reset has no field directroy\. There are directory\.$/],
    ['/reset', '{"directory":"a.ndjson"}', 400, /must be a list of records/],
    ['/reset', '{"directory":null}', 400, /must be a list of records/],
    ['/reset', '{"directory":[5]}', 400, /^The directory cannot be loaded\. Line 1: /],
    ['/reset', '{"directory":[{"user":{"id":"a","email":5}}]}', 400, /^The directory cannot be loaded\. Line 1: /],
    ['/reset?x=1', '{}', 400, /^The query has no parameter x\. There are none\.$/],
    ['/tokens', '{}', 400, /^`sub` must be text/],
    ['/tokens', '', 400, /^`sub` must be text/],
    ['/tokens', '{"sub":5}', 400, /^`sub` must be text/],
    [
      '/tokens',
      '{"sub":"a","scop":"x"}',
      400,
      /^A token has no field scop\. There are sub, scope, claims, expiresIn\.$/,
    ],
    ['/tokens', '{"sub":"a","__proto__":{}}', 400, /^A token has no field __proto__/],
    ['/tokens', '{"sub":"a","scope":["x"]}', 400, /^`scope` must be text/],
    ['/tokens', '{"sub":"a","claims":[]}', 400, /^`claims` must be an object/],
    ['/tokens', '{"sub":"a","claims":null}', 400, /^`claims` must be an object/],
    ['/tokens', '{"sub":"a","expiresIn":"60"}', 400, /^`expiresIn` must be a number of seconds/],
    ['/tokens', '{"sub":"a","expiresIn":1e999}', 400, /^`expiresIn` must be a number of seconds/],
    ['/tokens', DEEP, 400, /nested too deeply/],
    ['/clock', '{}', 400, /^Give `advance` a number of seconds from 0 on/],
    ['/clock', '{"advance":NaN}', 400, /^The body is not JSON/],
    ['/clock', '{"advance":"60"}', 400, /^Give `advance` a number/],
    ['/clock', '{"advance":-1}', 400, /^Give `advance` a number/],
    ['/clock', '{"advance":1e999}', 400, /^Give `advance` a number/],
    ['/clock', '{"advance":1e300}', 400, /100 years ahead at most/],
    ['/clock', '{"advance":1,"seconds":2}', 400, /^clock has no field seconds/],
    ['/fail-next', '{}', 400, /never answers undefined/],
    ['/fail-next', '{"status":418}', 400, /^failNext: the service never answers 418\. Choose/],
    ['/fail-next', '{"status":"503"}', 400, /never answers 503/],
    ['/fail-next', '{"status":503,"time":2}', 400, /^failNext: there is no option time\. There are status, times/],
    ['/fail-next', '{"status":503,"times":-1}', 400, /`times` must be a whole number/],
    ['/fail-next', '{"status":503,"path":["/api/users"]}', 400, /`path` must begin with \/api\//],
    ['/fail-next', '{"status":503,"method":5}', 400, /`method` must be one of HTTP/],
    ['/fail-next', '{"status":503,"method":"PSOT"}', 400, /`method` must be one of HTTP/],
  ])('refuses POST %s %s', async (path, body, status, message) => {
    const sent = body === DEEP ? `{"sub":"a","claims":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}` : body;
    expect(await send(path, sent)).toEqual([status, { message: expect.stringMatching(message) }]);
  });

  it.each([
    ['/events?type=user.created.', 400, /^There is no event user\.created\.\. There are /],
    ['/events?type=', 400, /^There is no event \./],
    ['/events?wait=26', 400, /^events: `wait` must be a whole number from 0 to 25/],
    ['/events?wait=', 400, /`wait` must be/],
    ['/events?wait=1&wait=2', 400, /^Give wait once/],
    ['/events?after=-1', 400, /`after` must be a whole number/],
    ['/events?after=1e3', 400, /`after` must be a whole number/],
    ['/events?after=9007199254740991', 400, /^There is no event 9007199254740991 yet/],
    ['/events?aftr=1', 400, /^The query has no parameter aftr\. There are after, wait, type\.$/],
    ['/jwks.json?x=1', 400, /no parameter x/],
    ['/reset', 405, /^GET is not possible here: ask by POST\.$/],
    ['/', 404, /^There is no control \//],
  ])('refuses GET %s by %i', async (path, status, message) => {
    expect(await get(path)).toEqual([status, { message: expect.stringMatching(message) }]);
  });

  it('says by Allow what a route takes', async () => {
    const response = await fetch(`${ready.control}/tokens`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses a body that is too large, and bytes that are no text, and works on', async () => {
    expect(await send('/reset', `{"directory":["${'a'.repeat(17 * 1024 * 1024)}"]}`)).toEqual([
      413,
      { message: expect.stringMatching(/^A body can have 16 MiB at most/) },
    ]);
    expect(await send('/tokens', new Uint8Array([0x7b, 0xff, 0x7d]))).toMatchObject([
      400,
      { message: expect.stringMatching(/^The body is not JSON/) },
    ]);
    const { port } = new URL(ready.control);
    const broken = connect(Number(port), '127.0.0.1', () =>
      broken.end('POST /reset HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'),
    );
    await new Promise((resolve) => broken.on('close', resolve).on('error', resolve).resume());
    expect((await get('/ready'))[0]).toBe(204);
  });
});

describe('an emulator with HS256', () => {
  it('has controls, and no key set; its clients have tokens of their own', async () => {
    const { ready, stop } = await startEmulator('--env', 'LOG_LEVEL=silent');
    expect(Object.keys(ready)).toEqual(['url', 'token', 'control']);
    for (const path of ['/jwks.json', '/.well-known/openid-configuration']) {
      const response = await fetch(ready.control + path);
      expect([response.status, await response.json()]).toEqual([
        404,
        { message: 'There is no key set: tokens are signed by HS256 here. RS256 has one.' },
      ]);
    }
    const made = await fetch(`${ready.control}/tokens`, { method: 'POST', body: '{"sub":"cyd"}' });
    const { token } = (await made.json()) as { token: string };
    expect(decodeProtectedHeader(token).alg).toBe('HS256');
    const me = await fetch(`${ready.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    expect([me.status, await me.json()]).toMatchObject([200, { kind: 'user', id: 'cyd' }]);
    expect(await stop()).toEqual([0, null]);
  });
});
