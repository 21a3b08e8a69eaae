import { startTestService, type TestService } from '../../test/support/test-service';
import { ActiveUsers } from '../src/active-users/active-users.ts';
import { UserAdministrationClient } from '../src/user-administration-client.ts';
import { UserAdministrationError } from '../src/user-administration-error.ts';
import { until } from './support/until.ts';
import { failureOf } from './support/failure-of.ts';
import { FaultyProxy, type ProxyFault } from './support/faulty-proxy.ts';

let service: TestService;
let client: UserAdministrationClient;

beforeAll(async () => {
  service = await startTestService();
  const { directory } = service;
  await directory.permission('users.administer', 'administrator');
  await directory.workspace('atlas');
  await directory.workspace('borealis');
  await directory.group('atlas-editors', 'atlas');
  await directory.user('ada', { type: 'administrator', permissions: ['users.administer'] });
  for (const id of ['ben', 'cyd', 'dee']) await directory.user(id);
  client = new UserAdministrationClient({ baseUrl: service.url, token: service.tokenOf('ada') });
});
afterAll(() => service.close());

describe('against the service, the client', () => {
  it('assigns users', async () => {
    const answer = await client.users.assignWorkspaces({
      userIds: ['ben', 'cyd'],
      workspaces: ['atlas'],
      groups: ['atlas-editors'],
    });
    expect(answer).toEqual({ status: 200, message: 'Users successfully assigned to workspaces.' });
    expect((await service.directory.state()).groups).toEqual(['ben in atlas-editors', 'cyd in atlas-editors']);
  });

  it('previews, makes and reverses bulk changes, and returns what changed', async () => {
    const body = { userIds: ['ben', 'nobody'], workspaces: ['borealis'] };
    const preview = await client.users.assignWorkspaces(body, { dryRun: true, lenient: true });
    const changed = { users: [{ id: 'ben', workspaces: ['borealis'], groups: [] }], unchanged: 0 };
    const refused = [{ pointer: '/userIds/1', id: 'nobody', code: 'user.invalid' }];
    expect(preview.result).toEqual({ ...changed, refused });
    expect((await client.users.assignWorkspaces(body, { lenient: true })).result).toEqual(preview.result);
    const undone = await client.users.unassignWorkspaces(
      { userIds: ['ben'], workspaces: ['borealis'] },
      { representation: true },
    );
    expect(undone.result).toEqual({ ...changed, refused: [] });
    for (const status of ['inactive', 'active'] as const)
      expect(await client.users.assignStatus({ userIds: ['cyd'], status, reason: 'a test' })).toEqual({
        status: 200,
        message: 'User statuses successfully updated.',
      });
  });

  it('imports a file, once', async () => {
    const file = 'id;displayName\nivo;Ivo\n';
    const would = await client.imports.create(file, { format: 'csv', dryRun: true });
    expect(would.result).toMatchObject({ created: { users: 1 }, changes: [{ line: 2, id: 'ivo', change: 'created' }] });
    const done = await client.imports.create(file, { format: 'csv', idempotencyKey: 'ivo' });
    expect(done).toMatchObject({ message: 'The file was imported.', result: { created: { users: 1 } } });
    expect(await client.imports.create(file, { format: 'csv', idempotencyKey: 'ivo' })).toEqual(done);
    const error = await failureOf(client.imports.create('{"user":{"id":"ivo","groups":["none"]}}'));
    expect(error).toMatchObject({ code: 'import.invalid', errors: [], lines: [{ line: 1 }] });
    const latin1 = new Uint8Array(Buffer.from('id,displayName\nivo,Jörg\n', 'latin1'));
    const unreadable = await failureOf(client.imports.create(latin1, { format: 'csv' }));
    expect(unreadable.lines).toEqual([{ line: 2, message: 'not valid UTF-8: save it as CSV UTF-8' }]);
    await client.users.delete('ivo');
  });

  it('previews a change and a deletion of one record', async () => {
    const message = 'Nothing was changed: this was a dry run.';
    const users = { affected: 0, types: [] };
    const ben = await client.users.get('ben');
    const changed = await client.users.update('ben', { displayName: 'Ben' }, { dryRun: true, ifMatch: ben.etag });
    expect(changed).toMatchObject({
      status: 200,
      message,
      result: { record: { id: 'ben', displayName: 'Ben' }, users },
    });
    expect(await client.users.delete('dee', { dryRun: true })).toEqual({
      status: 200,
      message,
      result: { record: null, users },
    });
    expect(await client.users.get('ben')).toEqual(ben);
    expect(await client.users.update('ben', {}, { dryRun: false })).toEqual(ben);
    await client.users.get('dee');
  });

  it('reports a refusal with code, positions and message, in the language of the call', async () => {
    const body = { userIds: ['ben', 'nobody'], workspaces: ['atlas'] };
    const error = await failureOf(client.users.assignWorkspaces(body, { language: 'de', requestId: 'mine-7' }));
    expect(error).toMatchObject({
      code: 'user.invalid',
      status: 400,
      detail: 'Bitte wählen Sie einen gültigen Benutzer aus.',
      errors: [{ pointer: '/userIds/1', id: 'nobody' }],
      requestId: 'mine-7',
      outcomeUnknown: false,
    });
  });

  it('reports the code of manage-status, too', async () => {
    const error = await failureOf(client.users.manageStatus({ id: 'ben', token: 'nonsense' }));
    expect(error).toMatchObject({ code: 'status.not_permitted', status: 401, detail: 'Invalid token or user ID' });
  });

  it('creates status tokens, and uses them', async () => {
    const { token } = await client.statusTokens.create({ id: 'dee', status: 'inactive', reason: 'left' });
    await expect(client.users.manageStatus({ id: 'dee', token })).resolves.toEqual({
      status: 'success',
      message: 'User status updated successfully',
    });
  });

  it('reads the journal page by page', async () => {
    const actions: string[] = [];
    for await (const { action, user } of client.journal.list({ user: 'dee', limit: 1 }))
      actions.push(`${action} ${user}`);
    expect(actions).toEqual(['user.status.changed dee', 'user.status_token.minted dee']);
  });

  it('follows the journal from now on', async () => {
    const stopping = new AbortController();
    const after = await client.journal.now();
    const told: string[] = [];
    const users = new ActiveUsers(client, { silentAfterMs: 10_000 });
    users.start();
    try {
      expect(await users.ready(20_000)).toBe(true);
      expect(users.verdict('cyd')).toBe('active');
      await client.users.manageStatus({ id: 'cyd', token: service.tokenOf('ada') });
      await until(() => users.verdict('cyd') === 'refused');
      await client.users.manageStatus({ id: 'cyd', token: service.tokenOf('ada') });
      for await (const { action, user, after: facts } of client.journal.follow({ after, user: 'cyd' }, stopping)) {
        told.push(`${action} ${user} ${String(facts?.status)}`);
        if (told.length === 2) break;
      }
      await until(() => users.verdict('cyd') === 'active');
    } finally {
      users.stop();
      stopping.abort();
    }
    expect(told).toEqual(['user.status.changed cyd inactive', 'user.status.changed cyd active']);
  });

  it('makes one change per key, even from several clients', async () => {
    const send = () =>
      client.statusTokens.create(
        { id: 'ben', status: 'inactive' },
        { idempotencyKey: 'the "same" one'.replaceAll(' ', '-') },
      );
    expect(await send()).toEqual(await send());
  });

  it('reports why it is refused', async () => {
    const dee = new UserAdministrationClient({ baseUrl: service.url, token: service.tokenOf('ben') });
    await expect(failureOf(dee.journal.list().all())).resolves.toMatchObject({ code: 'auth.administrator_required' });
    const nobody = new UserAdministrationClient({ baseUrl: service.url, token: service.tokenOf('nobody') });
    await expect(failureOf(nobody.webhooks.list())).resolves.toMatchObject({ code: 'auth.token_invalid', status: 401 });
  });

  it('manages webhooks', async () => {
    const webhook = await client.webhooks.create({ url: 'https://example.com/hook', events: ['user.type.changed'] });
    expect(webhook.secret).toMatch(/^whsec_/);
    const changed = await client.webhooks.update(webhook.id, { enabled: false }, { ifMatch: webhook.etag });
    expect(changed).toMatchObject({ enabled: false, events: ['user.type.changed'] });
    expect(await client.webhooks.get(webhook.id)).toEqual(changed);
    const { etag, ...listed } = changed;
    expect(await client.webhooks.list()).toEqual([listed]);
    const rotated = await client.webhooks.rotateSecret(webhook.id, { ifMatch: etag });
    expect(rotated.secret).not.toBe(webhook.secret);
    expect((await client.webhooks.get(webhook.id)).etag).toBe(rotated.etag);
    await expect(failureOf(client.webhooks.rotateSecret(webhook.id, { ifMatch: etag }))).resolves.toMatchObject({
      code: 'record.changed',
    });
    expect(await client.webhooks.deliveries(webhook.id).all()).toEqual([]);
    await expect(
      failureOf(client.webhooks.update(webhook.id, { enabled: true }, { ifMatch: etag })),
    ).resolves.toMatchObject({
      code: 'record.changed',
    });
    await expect(failureOf(client.webhooks.delete(webhook.id, { ifMatch: etag }))).resolves.toMatchObject({
      status: 412,
    });
    await client.webhooks.delete(webhook.id);
    await expect(failureOf(client.webhooks.get(webhook.id))).resolves.toMatchObject({ code: 'webhook.unknown' });
  });

  it('creates, changes, explains and deletes records', async () => {
    const workspace = await client.workspaces.create({ name: 'Delta', permissions: ['users.administer'] });
    const group = await client.groups.create({ name: 'Readers', workspace: workspace.id });
    const user = await client.users.create({ id: 'flo/1', workspaces: [workspace.id], groups: [group.id] });
    expect(user).toMatchObject({ id: 'flo/1', type: 'administrator', etag: (await client.users.get('flo/1')).etag });
    const why = await client.users.permissions('flo/1').all();
    expect(why.map(({ id, sources }) => [id, sources[0]?.kind, sources[0]?.actor])).toEqual([
      ['users.administer', 'workspace', { kind: 'user', id: 'ada' }],
    ]);
    const renamed = await client.workspaces.update(workspace.id, { name: 'Epsilon' }, { ifMatch: workspace.etag });
    await expect(
      failureOf(client.workspaces.update(workspace.id, { name: 'Zeta' }, { ifMatch: workspace.etag })),
    ).resolves.toMatchObject({ code: 'record.changed', status: 412 });
    await client.workspaces.delete(workspace.id, { ifMatch: renamed.etag });
    await expect(failureOf(client.groups.get(group.id))).resolves.toMatchObject({ code: 'group.unknown' });
    expect(await client.users.get('flo/1')).toMatchObject({ type: 'guest' });
    await client.users.delete('flo/1');
    const { id } = await client.permissions.create({ description: 'Read', grants: 'member' });
    expect(await client.permissions.update(id, { description: null })).toMatchObject({ description: null });
    await client.permissions.delete(id);
  });

  it('checks the health without a token', async () => {
    const token = () => Promise.reject(new Error('no token'));
    const anyone = new UserAdministrationClient({ baseUrl: service.url, token });
    await expect(anyone.health.live()).resolves.toEqual({ status: 'ok' });
    await expect(anyone.health.ready()).resolves.toEqual({ status: 'ok' });
  });

  it('reports a wrong path in baseUrl', async () => {
    const lost = new UserAdministrationClient({ baseUrl: `${service.url}/users`, token: service.tokenOf('ada') });
    await expect(failureOf(lost.webhooks.list())).resolves.toMatchObject({ code: 'route.unknown', status: 404 });
  });
});

describe('through a proxy that breaks each connection once', () => {
  /** Positions in the request, and in the headers and the body of an answer of about 700 bytes. */
  const faults: ProxyFault[] = [0, 1, 100, 300, 500, 600, 650, 700, 'bad gateway', 'silence'];

  it('each change of status is made once', async () => {
    const proxy = await FaultyProxy.start(service.url);
    const token = service.tokenOf('ada');
    try {
      for (const [index, fault] of faults.entries()) {
        const user = `toggled-${index}`;
        await service.directory.user(user);
        const faulty = new UserAdministrationClient({
          baseUrl: proxy.url,
          token,
          timeoutMs: 1_000,
          fetch: failingOnce(fault),
        });
        await faulty.users.manageStatus({ id: user, token });
        const entries = await client.journal.list({ user, action: 'user.status.changed' }).all();
        expect([fault, entries.map(({ after }) => after)]).toEqual([fault, [{ status: 'inactive' }]]);
      }
    } finally {
      await proxy.close();
    }
  });

  it('a service that does not answer does not block a call', async () => {
    const proxy = await FaultyProxy.start(service.url);
    const headers = { 'x-fault': 'silence' };
    const silenced = new UserAdministrationClient({
      baseUrl: proxy.url,
      token: service.tokenOf('ada'),
      deadlineMs: 300,
      hooks: { attemptStarted: (attempt) => Object.assign(attempt.headers, headers) },
    });
    const error = await failureOf(silenced.statusTokens.create({ id: 'ben', status: 'active' }));
    await proxy.close();
    expect(error).toBeInstanceOf(UserAdministrationError);
    expect(error).toMatchObject({ code: 'client.deadline_exceeded', outcomeUnknown: true });
  });
});

/** A fetch whose first request fails. */
function failingOnce(fault: ProxyFault): typeof fetch {
  let failed = false;
  return (input, init) => {
    const headers = { ...(init?.headers as object), ...(!failed && { 'x-fault': String(fault) }) };
    failed = true;
    return fetch(input, { ...init, headers });
  };
}
