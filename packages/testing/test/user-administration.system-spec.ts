import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WebhookEvent, WebhookReceiver } from '../../../client/src/webhooks/index.ts';
import type { DirectoryRecord } from '../../../src/contract/directory';
import { DEMO_DIRECTORY } from '../../../src/plugins/transfer/demo-directory';
import { testDatabaseUrl } from '../../../test/setup/test-environment';
import type { PlannedFailure } from '../src/planned-failure';
import { withClient } from '../src/with-client';
import { childrenOf, consumption } from '../../../bench/processes';
import { describeOnServer } from '../../../test/support/describe-on-server';
import { builtKit, type UserAdministration, type UserAdministrationOptions } from './built-kit';

const { startUserAdministration } = builtKit();
const onLinux = process.platform === 'linux' ? it : it.skip;
if (process.platform !== 'linux') process.stderr.write('Skipped the memory of the kit: only Linux tells it.\n');

describe('startUserAdministration', () => {
  let users: UserAdministration;
  let pid: number;

  beforeAll(async () => {
    [users, pid] = await startWithPid();
  });
  afterAll(() => users.close());
  beforeEach(() => users.reset());

  const ask = (path: string, token: string, method = 'GET') =>
    fetch(`${users.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });

  // V8 collects garbage when it chooses to: about one start in ten on Node 24 takes 260 MB.
  onLinux('takes at most 250 MB', async () => {
    let peakMb = await peakOf(users, pid);
    for (let attempt = 2; attempt <= 3 && peakMb > 250; attempt++) {
      const [another, itsPid] = await startWithPid();
      peakMb = await peakOf(another, itsPid);
      await another.close();
    }
    expect(peakMb).toBeLessThanOrEqual(250);
  });

  async function startWithPid(): Promise<[UserAdministration, number]> {
    const others = process.platform === 'linux' ? childrenOf(process.pid) : [];
    const started = await startUserAdministration();
    const children = process.platform === 'linux' ? childrenOf(process.pid) : [];
    return [started, children.find((child) => !others.includes(child)) ?? NaN];
  }

  async function peakOf({ client, reset }: UserAdministration, pid: number): Promise<number> {
    await client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['borealis'] });
    await reset();
    return consumption(pid).peakMb;
  }

  it('starts the service itself, with the demo directory', async () => {
    const body = JSON.stringify({ userIds: ['nobody'], workspaces: ['atlas'] });
    const response = await fetch(`${users.url}/api/users/workspace-assign`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${users.tokenFor('ada')}`,
        'content-type': 'application/json',
        'accept-language': 'de',
      },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ status: 400, message: 'Bitte wählen Sie einen gültigen Benutzer aus.' });
    expect(await (await ask('/api/me', users.serviceToken())).json()).toEqual({
      kind: 'service',
      id: 'calling-service',
      administrator: true,
    });
  });

  it('creates tokens for any subject: known users, unknown ones, and expired tokens', async () => {
    expect((await ask('/api/me', users.tokenFor('cyd'))).status).toBe(200);
    expect((await ask('/api/me', users.tokenFor('nobody'))).status).toBe(401);
    expect((await ask('/api/me', users.tokenFor('ada', { expiresIn: -60 }))).status).toBe(401);
    expect(claimsOf(users.tokenFor('ada', { roles: ['a'], expiresIn: 60 }))).toMatchObject({
      sub: 'ada',
      roles: ['a'],
    });
    // A suite may keep it.
    const { iat, exp } = claimsOf(users.serviceToken());
    expect(Number(exp) - Number(iat)).toBe(86_400);
  });

  it('makes other people of the users whom it restores, so that an erasure of those before spares them', async () => {
    await users.reset();
    await users.client.users.delete('ben', { erase: 'former' });
    const [created] = await collect(users.client.journal.list({ user: 'ben', action: 'user.created' }));
    expect(created).toMatchObject({ after: { displayName: 'Ben' } });
    expect(created).not.toHaveProperty('erased');
  });

  it('resets the directory, webhooks and planned failures, and notifies followers of the restored users', async () => {
    const before = await records();
    await users.client.users.assignStatus({ userIds: ['ben'], status: 'inactive' });
    await users.client.users.assignWorkspaces({ userIds: ['dee'], workspaces: ['cosmos'], groups: ['cosmos-admins'] });
    await users.client.webhooks.create({ url: 'https://hooks.example/users', events: ['user.status.changed'] });
    await users.failNext({ status: 503, times: 5 });
    const after = await users.client.journal.now();
    await users.reset();
    expect(await records()).toEqual(before);
    const entries = await collect(users.client.journal.list({ user: 'ben' }));
    expect(entries.slice(0, 4).map(({ action, before, after }) => [action, before?.status, after?.status])).toEqual([
      ['user.type.changed', undefined, undefined],
      ['user.created', undefined, 'active'],
      ['user.deleted', 'inactive', undefined],
      ['user.status.changed', 'active', 'inactive'],
    ]);
    expect(entries[2]?.before).toEqual({
      email: 'ben@example.com',
      displayName: 'Ben',
      status: 'inactive',
      permissions: [],
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
    });
    const { entries: told } = await users.client.journal.after({ after, limit: 200 });
    const deleted = told.flatMap(({ action, before }) => (/\.deleted$/.test(action) ? [{ action, before }] : []));
    const counts = ['user', 'group', 'workspace', 'permission'].map(
      (kind) => deleted.filter(({ action }) => action === `${kind}.deleted`).length,
    );
    expect(counts).toEqual([6, 5, 3, 4]);
    expect(deleted).toContainEqual({
      action: 'group.deleted',
      before: { group: 'atlas-editors', name: 'Editors', permissions: ['content.edit'] },
    });
    expect(await users.events.all()).toEqual([]);

    async function records(): Promise<unknown[]> {
      const { client } = users;
      const found: unknown[] = [];
      for await (const user of client.users.list({})) {
        found.push(user, await client.users.get(user.id), await collect(client.users.memberships(user.id)));
      }
      for await (const group of client.groups.list({})) found.push(await client.groups.get(group.id));
      for await (const workspace of client.workspaces.list({})) found.push(await client.workspaces.get(workspace.id));
      found.push(await collect(client.permissions.list({})), await client.webhooks.list());
      return JSON.parse(JSON.stringify(found)) as unknown[];
    }
  });

  it('starts with given records, and names a wrong one', async () => {
    await users.reset([{ user: { id: 'eva', status: 'inactive' } }]);
    expect(await collect(users.client.users.list({}))).toMatchObject([{ id: 'eva', status: 'inactive' }]);
    await users.reset();
    expect(await collect(users.client.users.list({}))).toMatchObject([{ id: 'eva' }]);
    await expect(users.reset([{ user: { id: 'a' } }, { user: { id: 'b', groups: ['none'] } }])).rejects.toThrow(
      'The directory cannot be loaded. Line 2: there is no group "none"',
    );
    expect(await collect(users.client.users.list({}))).toMatchObject([{ id: 'eva' }]);
    const folder = await mkdtemp(join(tmpdir(), 'kit-'));
    await writeFile(join(folder, 'broken.ndjson'), '{"user":{"id":"a"}}\n{"user":\n');
    await expect(users.reset(join(folder, 'broken.ndjson'))).rejects.toThrow('The directory cannot be loaded. Line 2');
    await expect(users.reset(join(folder, 'absent.ndjson'))).rejects.toThrow('absent.ndjson: there is no such file.');
    await rm(folder, { recursive: true });
    await users.reset(DEMO_DIRECTORY.map((line) => JSON.parse(line) as DirectoryRecord));
  });

  it('makes persons who differ, the same ones in each run, and tells its records', async () => {
    const another = await startUserAdministration({ directory: [] });
    const persons = Array.from({ length: 143 }, () => another.person());
    expect(persons[0]).toEqual({
      user: { id: 'person-1', email: 'person-1@example.com', displayName: 'Björn Brandt' },
    });
    expect(new Set(persons.map(({ user }) => user.displayName)).size).toBe(143);
    const chosen = another.person({ displayName: 'Eva', workspaces: ['lab'], status: 'inactive' });
    expect(chosen.user).toMatchObject({ id: 'person-144', displayName: 'Eva', workspaces: ['lab'] });
    expect(() => another.person({ workspace: ['lab'] } as never)).toThrow(
      'A person has no field workspace. There are id',
    );
    await another.reset([{ workspace: { id: 'lab', name: 'Lab' } }, ...persons, chosen]);
    const records = await another.records();
    expect(records).toHaveLength(145);
    expect(records[0]).toEqual({ workspace: { id: 'lab', name: 'Lab', permissions: [] } });
    expect(records.at(-1)).toMatchObject({
      user: { id: 'person-99', email: 'person-99@example.com', status: 'active' },
    });
    await another.reset(records);
    expect(await another.records()).toEqual(records);
    await another.close();
  });

  it('signs by RS256 with a key set that its service verifies by', async () => {
    const one = await startUserAdministration({ tokens: 'RS256', env: { JWT_ISSUER: 'https://id.example' } });
    // The compiler decides.
    const issuer: string = one.issuer;
    expect([issuer, one.jwksUri]).toEqual(['https://id.example', `${one.control}/jwks.json`]);
    const keys = createRemoteJWKSet(new URL(one.jwksUri));
    expect((await jwtVerify(one.tokenFor('cyd'), keys, { issuer })).payload.sub).toBe('cyd');
    expect((await one.client.me()).kind).toBe('service');
    const discovered = await fetch(`${one.control}/.well-known/openid-configuration`);
    expect(await discovered.json()).toMatchObject({ issuer, jwks_uri: one.jwksUri });
    // A status token has a secret of its own.
    const { token } = await one.client.statusTokens.create({ id: 'ben', status: 'inactive' });
    await one.client.users.manageStatus({ id: 'ben', token });
    expect((await one.client.users.get('ben')).status).toBe('inactive');
    await one.close();
    await expect(fetch(one.control)).rejects.toThrow();
    expect([users.issuer, users.jwksUri]).toEqual([undefined, undefined]);
    await expect(startUserAdministration({ tokens: 'RS255' as 'RS256' })).rejects.toThrow(
      'tokens: choose one of HS256, RS256.',
    );
    await expect(startUserAdministration({ tokens: 'RS256', env: { JWT_SECRET: 'a' } })).rejects.toThrow(
      'env: leave out JWT_SECRET. With RS256, tokens are verified by the key set of the kit.',
    );
  });

  it('returns the events that a webhook would receive, also future ones', async () => {
    const coming = users.events.first('user.status.changed');
    const requestId = 'request-1';
    await users.client.users.assignWorkspaces({ userIds: ['cyd', 'dee'], workspaces: ['cosmos'] });
    await users.client.users.assignStatus({ userIds: ['dee'], status: 'inactive', reason: 'gone' }, { requestId });
    const { id, time, data, ...event } = await coming;
    expect(event).toEqual({
      specversion: '1.0',
      source: '/user-administration',
      type: 'user.status.changed',
      subject: 'dee',
      datacontenttype: 'application/json',
    });
    expect(id).toBe(`msg_00000000-0000-7000-8000-000000000000_${data.entry}`);
    expect(new Date(time).toISOString()).toBe(time);
    expect(data).toEqual({
      entry: data.entry,
      user: 'dee',
      workspaces: [],
      before: { status: 'active' },
      after: { status: 'inactive' },
      actor: { kind: 'service', id: 'calling-service' },
      grantedBy: null,
      reason: 'gone',
      requestId,
    });
    expect((await users.events.all()).map(({ type, subject }) => [type, subject])).toEqual([
      ['user.workspaces.assigned', 'cyd'],
      ['user.workspaces.assigned', 'dee'],
      ['user.status.changed', 'dee'],
    ]);
  });

  it('has the type of an event, and says after five seconds which events came instead', async () => {
    await users.client.users.assignStatus({ userIds: ['ben', 'dee'], status: 'inactive' });
    const none = users.events.first('permission.created');
    const { data } = await users.events.first('user.status.changed');
    // The compiler decides.
    const user: string = data.user;
    const status: 'active' | 'inactive' | undefined = data.after?.status;
    expect([user, status]).toEqual(['ben', 'inactive']);
    await expect(none).rejects.toThrow(
      'There was no event permission.created within five seconds.\nThese came:\n' +
        '  user.status.changed ben\n  user.status.changed dee',
    );
  });

  it.each([
    [401, 'Invalid token or user ID'],
    [409, 'The last active administrator cannot be deactivated.'],
  ])('fails manage-status with the sentence that this route has for %i', async (status, message) => {
    await users.failNext({ status });
    const failed = await fetch(`${users.url}/api/users/manage-status`, { method: 'POST' });
    expect([failed.status, await failed.json()]).toEqual([status, { status: 'error', message }]);
  });

  it('fails requests as often as planned, in the format of the service, without executing them', async () => {
    await users.failNext({ status: 503 });
    const failed = await ask('/api/users', users.serviceToken());
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await failed.json()).toEqual({
      status: 503,
      message: 'The service is temporarily unavailable. Please try again shortly.',
    });
    expect((await ask('/api/users', users.serviceToken())).status).toBe(200);

    await users.failNext({ status: 429, times: 2 });
    expect((await ask('/health/ready', '')).status).toBe(200);
    const began = performance.now();
    // The client obeys `Retry-After`, twice.
    await users.client.users.assignStatus({ userIds: ['ben'], status: 'inactive' });
    expect(performance.now() - began).toBeGreaterThan(1_900);
    expect((await users.events.all()).length).toBe(1);
    await expect(users.failNext({ status: 418 })).rejects.toThrow(/^failNext: the service never answers 418\. Choose/);
    await expect(users.failNext({ status: 503, times: -1 })).rejects.toThrow('`times` must be a whole number');
    const misspelt = { status: 503, time: 2 } as PlannedFailure;
    await expect(users.failNext(misspelt)).rejects.toThrow(
      'failNext: there is no option time. There are status, times, path, method.',
    );
    await expect(users.failNext({ status: 503, path: '/health/ready' })).rejects.toThrow(
      '`path` must begin with /api/',
    );
  });

  it('fails requests to a path and with a method alone', async () => {
    const me = (method = 'GET') => ask('/api/me', users.serviceToken(), method).then(({ status }) => status);
    await users.failNext({ status: 403, path: '/api/users', times: 2 });
    expect(await me()).toBe(200);
    expect((await ask('/api/users?limit=1', users.serviceToken())).status).toBe(403);
    expect((await ask('/api/users/', users.serviceToken())).status).toBe(403);
    expect((await ask('/api/users', users.serviceToken())).status).toBe(200);
    await users.failNext({ status: 503, path: '/api/me', method: 'post' });
    expect([await me(), await me('POST'), await me()]).toEqual([200, 503, 200]);
  });

  it('leaves followers of the journal alone, unless its path is named', async () => {
    const follow = (query: string) => ask(`/api/journal?${query}`, users.serviceToken()).then(({ status }) => status);
    await users.failNext({ status: 403 });
    expect(await Promise.all([follow('after=now&wait=1'), follow('after=start'), follow('wait=0&after=now')])).toEqual([
      200, 200, 200,
    ]);
    expect(await follow('limit=1')).toBe(403);
    await users.failNext({ status: 403, path: '/api/journal' });
    expect(await follow('after=now')).toBe(403);
  });
});

describe('a start of startUserAdministration', () => {
  it('is refused in production, with the reason', async () => {
    await expect(startUserAdministration({ env: { NODE_ENV: 'production' } })).rejects.toThrow(
      'This service is for tests: it signs tokens for any user. NODE_ENV must not be production.',
    );
    await expect(startUserAdministration({ env: { DATABASE_URL: 'postgres://x' } })).rejects.toThrow(
      'Give `databaseUrl` instead of the variable DATABASE_URL.',
    );
    const misspelt = { directoy: [] } as UserAdministrationOptions;
    await expect(startUserAdministration(misspelt)).rejects.toThrow(
      'There is no option directoy. There are directory, databaseUrl, env, tokens.',
    );
    await expect(startUserAdministration({ env: { PORT: 'x' } })).rejects.toThrow(/PORT must be/);
    await expect(startUserAdministration({ env: { PORT: Symbol('0') as never } })).rejects.toThrow(
      /could not be cloned/,
    );
    await expect(startUserAdministration({ directory: '/nowhere/directory.ndjson' })).rejects.toThrow(
      'Cannot read /nowhere/directory.ndjson: there is no such file.',
    );
  });

  it.each([
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['WEBHOOKS_ALLOW_PRIVATE', 'WEBHOOK_ALLOW_PRIVATE'],
    ['JWT_SECRT', 'JWT_SECRET'],
    ['DATABASE_URI', 'DATABASE_URL'],
  ])('is refused with %s, which the service would ignore', async (name, nearest) => {
    await expect(startUserAdministration({ env: { [name]: undefined } })).rejects.toThrow(
      new RegExp(`^env: ${name} is no variable of this service. The nearest one is ${nearest}.$`),
    );
  });

  it('delivers real webhooks to a test that chooses their secret', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const receiver = new WebhookReceiver({ secrets: secret });
    let told: (event: WebhookEvent) => void = () => undefined;
    let received = new Promise<WebhookEvent>((resolve) => (told = resolve));
    const server = createServer((request, response) => {
      void receiver.receive(request, request.headers, (event) => told(event)).then(() => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const users = await startUserAdministration();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    await users.deliverTo(url, secret);
    await users.client.users.assignStatus({ userIds: ['ben'], status: 'inactive' });
    expect(await received).toMatchObject({ type: 'user.status.changed', subject: 'ben' });

    // Its own events are not delivered, so the first one is that of the test.
    await users.reset();
    received = new Promise<WebhookEvent>((resolve) => (told = resolve));
    await users.client.users.assignStatus({ userIds: ['dee'], status: 'inactive' });
    expect(await received).toMatchObject({ type: 'user.status.changed', subject: 'dee' });
    await expect(users.reset([{ user: { id: 'a', groups: ['none'] } }])).rejects.toThrow('there is no group');
    received = new Promise<WebhookEvent>((resolve) => (told = resolve));
    await users.client.users.assignStatus({ userIds: ['cyd'], status: 'inactive' });
    expect(await received).toMatchObject({ type: 'user.status.changed', subject: 'cyd' });

    await expect(users.deliverTo('ftp://127.0.0.1/hooks', secret)).rejects.toThrow(
      'deliverTo: the URL begins with ftp:.',
    );
    await expect(users.deliverTo(url, 'secret')).rejects.toThrow('A webhook secret must consist of whsec_');
    expect(await users.client.webhooks.list()).toHaveLength(1);
    await users.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('works several times at once, each with its own settings, and does not wait for one that is closing', async () => {
    const [one, two, three] = await Promise.all([
      startUserAdministration({ directory: [], env: withClaim('constructor') }),
      startUserAdministration({ directory: [{ user: { id: 'eva' } }], env: withClaim('__proto__') }),
      // Vitest's `import.meta.env` is a proxy.
      startUserAdministration({ env: new Proxy({ ...withClaim('toString'), HOST: '::1' }, {}) }),
    ]);
    // It listens on the address of HOST, and names it.
    expect(three.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${three.url}/health/ready`)).status).toBe(200);
    // It signs tokens with any user claim.
    await one.reset([{ user: { id: 'cyd' } }]);
    expect(await callerOf(one, 'cyd')).toMatchObject({ kind: 'user', id: 'cyd' });
    expect(await callerOf(two, 'eva')).toMatchObject({ kind: 'user', id: 'eva' });
    expect(await callerOf(three, 'cyd')).toMatchObject({ kind: 'user', id: 'cyd' });

    const coming = one.events.first('user.type.changed');
    await one.close();
    await expect(coming).rejects.toThrow();
    await expect(one.reset()).rejects.toThrow('The User Administration Service does not run. It has been closed.');
    await one.close();
    expect(await collect(two.client.users.list({}))).toMatchObject([{ id: 'eva' }]);
    await two.close();
    await three.close();
  });

  const withClaim = (claim: string) => ({ JWT_USER_CLAIM: claim });

  async function callerOf(users: UserAdministration, id: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${users.tokenFor(id)}` };
    return (await fetch(`${users.url}/api/me`, { headers })).json();
  }
});

describeOnServer('on a PostgreSQL server', () => {
  it('creates and drops a database of its own, with no other right than CREATEDB', async () => {
    const server = testDatabaseUrl() ?? '';
    const role = `kit_${randomBytes(4).toString('hex')}`;
    const asRole = Object.assign(new URL(server), { username: role, password: role }).href;
    await withClient(server, async (client) => {
      await client.query(`CREATE ROLE ${role} LOGIN CREATEDB PASSWORD '${role}'`);
      const databases = async () =>
        (await client.query('SELECT FROM pg_database WHERE datdba = $1::regrole', [role])).rowCount;
      try {
        const users = await startUserAdministration({ databaseUrl: asRole, directory: [{ user: { id: 'eva' } }] });
        expect(await databases()).toBe(1);
        await users.client.users.assignStatus({ userIds: ['eva'], status: 'inactive' });
        await users.reset();
        expect(await collect(users.client.users.list({}))).toMatchObject([{ id: 'eva', status: 'active' }]);
        await users.close();
        expect(await databases()).toBe(0);
      } finally {
        await client.query(`DROP ROLE ${role}`);
      }
    });
  });
});

function claimsOf(token: string): Record<string, unknown> {
  const [, claims = ''] = token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
