import { PLUGINS } from '../../src/installed-plugins';
import type { Plugin } from '../../src/plugins/plugin';
import { openTestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';

type Database = Awaited<ReturnType<typeof openTestDatabase>>;

const NOTHING_HERE = { status: 404, message: 'There is nothing at this address. Please check the path.' };
/** A path of each plugin, and what it answers to an administrator if the plugin is there. */
const PATHS: Readonly<Record<string, readonly [method: string, path: string, status: number]>> = {
  'admin-page': ['GET', '/admin', 200],
  webhooks: ['GET', '/api/webhooks', 200],
  scim: ['GET', '/api/scim-connections', 200],
  transfer: ['POST', '/api/imports', 415],
};
const TABLES: Readonly<Record<string, string>> = { scim: 'scim_users', webhooks: 'webhook_deliveries' };

let database: Database;
const running: TestService[] = [];
beforeEach(async () => (database = await openTestDatabase({ empty: true })));
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
  await database.close();
});

async function startWith(plugins: readonly Plugin[]): Promise<TestService> {
  const service = await startTestService({ database, plugins });
  running.push(service);
  return service;
}

async function stop(service: TestService): Promise<void> {
  running.splice(running.indexOf(service), 1);
  await service.close();
}

async function addPeople({ directory }: TestService): Promise<void> {
  await directory.workspace('atlas');
  await directory.user('ada', { type: 'administrator' });
  await directory.user('ben');
}

async function send(service: TestService, method: string, path: string, body?: object) {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${service.tokenOf('ada')}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as unknown };
}

const ASSIGNMENT = { userIds: ['ben'], workspaces: ['atlas'] };
const ASSIGNED = { status: 200, body: { status: 200, message: 'Users successfully assigned to workspaces.' } };

/** Sections 2 to 5 of the contract: an assignment, a status token, and a change of a status by it. */
async function serves(service: TestService): Promise<void> {
  expect(await send(service, 'POST', '/api/users/workspace-assign', ASSIGNMENT)).toEqual(ASSIGNED);
  expect(await send(service, 'POST', '/api/users/workspace-assign', { ...ASSIGNMENT, userIds: ['nobody'] })).toEqual({
    status: 400,
    body: { status: 400, message: 'Please select a valid User.' },
  });
  const minted = await send(service, 'POST', '/api/users/status-tokens', { id: 'ben', status: 'inactive' });
  const { token } = minted.body as { token: string };
  expect(await send(service, 'POST', '/api/users/manage-status', { id: 'ben', token })).toEqual({
    status: 200,
    body: { status: 'success', message: 'User status updated successfully' },
  });
  expect((await send(service, 'GET', '/api/docs-json')).status).toBe(200);
  expect((await send(service, 'GET', '/metrics')).status).toBe(200);
}

async function tables(service: TestService): Promise<string[]> {
  const rows: { name: string }[] = await service.dataSource.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

it('serves without any plugin, on a database of its own', async () => {
  const service = await startWith([]);
  await addPeople(service);
  await serves(service);
  for (const [method, path] of Object.values(PATHS))
    expect([path, await send(service, method, path)]).toEqual([path, { status: 404, body: NOTHING_HERE }]);
  const response = await fetch(`${service.url}/scim/v2/Users`, { headers: { authorization: 'Bearer x' } });
  expect([response.status, await response.json()]).toEqual([404, NOTHING_HERE]);
  expect((await tables(service)).filter((name) => /scim|webhook/.test(name))).toEqual([]);
});

it.each(PLUGINS)('serves with $name alone', async (plugin) => {
  const service = await startWith([plugin]);
  await addPeople(service);
  await serves(service);
  const there = Object.entries(PATHS).map(async ([name, [method, path, status]]) => [
    name,
    (await send(service, method, path)).status === status,
  ]);
  const expected = Object.keys(PATHS).map((name) => [name, name === plugin.name]);
  expect(await Promise.all(there)).toEqual(expected);
  const made = await tables(service);
  for (const [name, table] of Object.entries(TABLES))
    expect([table, made.includes(table)]).toEqual([table, name === plugin.name]);
});

describe('a directory', () => {
  const WEBHOOK = { url: 'https://hooks.example/users', events: ['user.created'] };
  const CONNECTION = { name: 'Entra', workspace: 'atlas' };

  /** What a connection had given is kept apart when an administrator takes it. */
  async function giveBySCIM(service: TestService): Promise<void> {
    await service.dataSource.query(`
      INSERT INTO scim_users (connection_key, user_key, provider_active, id, user_name, resource)
      SELECT c.key, u.key, true, 'x', 'ben', '{}' FROM scim_connections AS c, users AS u WHERE u.id = 'ben'`);
    await service.dataSource.query(`
      INSERT INTO scim_memberships SELECT user_key, workspace_key, NULL FROM workspace_memberships`);
  }
  const given = async (service: TestService): Promise<number> =>
    (await service.dataSource.query<unknown[]>('SELECT FROM scim_memberships')).length;

  it('that had all plugins goes on without them, and with them again', async () => {
    const whole = await startWith(PLUGINS);
    await addPeople(whole);
    expect(await send(whole, 'POST', '/api/users/workspace-assign', ASSIGNMENT)).toEqual(ASSIGNED);
    expect((await send(whole, 'POST', '/api/webhooks', WEBHOOK)).status).toBe(201);
    expect((await send(whole, 'POST', '/api/scim-connections', CONNECTION)).status).toBe(201);
    await giveBySCIM(whole);
    const journal = await send(whole, 'GET', '/api/journal');
    await stop(whole);

    const bare = await startWith([]);
    expect(await send(bare, 'GET', '/api/journal')).toEqual(journal);
    const filtered = (action: string, service = bare) => send(service, 'GET', `/api/journal?limit=1&action=${action}`);
    for (const action of ['webhook.created', 'scim_connection.updated', 'directory.imported'])
      expect(await filtered(action)).toEqual({
        status: 400,
        body: { status: 400, message: 'Please give a valid value for the query parameter action.' },
      });
    expect((await filtered('user.status.changed')).status).toBe(200);
    expect((await send(bare, 'POST', '/api/users/workspace-unassign', ASSIGNMENT)).status).toBe(200);
    expect(await given(bare)).toBe(0);
    const [entry] = ((await send(bare, 'GET', '/api/journal')).body as { entries: { id: string }[] }).entries;
    // The function of SCIM stays, and keeps its tables true.
    expect((await send(bare, 'POST', `/api/journal/${entry?.id}/undo`, {})).status).toBe(200);
    expect(await given(bare)).toBe(1);
    await serves(bare);
    await stop(bare);

    const again = await startWith(PLUGINS);
    expect((await filtered('webhook.created', again)).body).toMatchObject({ entries: [{ action: 'webhook.created' }] });
    expect((await send(again, 'GET', '/api/scim-connections')).body).toMatchObject({
      connections: [{ name: 'Entra', workspace: 'atlas' }],
    });
    expect((await send(again, 'GET', '/api/webhooks')).body).toMatchObject({ webhooks: [{ url: WEBHOOK.url }] });
  });

  it('that had none takes them later, whatever the times of their migrations', async () => {
    const bare = await startWith([]);
    await addPeople(bare);
    await stop(bare);
    const whole = await startWith(PLUGINS);
    await serves(whole);
    expect((await send(whole, 'POST', '/api/webhooks', WEBHOOK)).status).toBe(201);
    expect((await send(whole, 'POST', '/api/scim-connections', CONNECTION)).status).toBe(201);
    const names: { name: string }[] = await whole.dataSource.query('SELECT name FROM migrations ORDER BY id');
    expect(names.slice(-2).map(({ name }) => name)).toEqual(['CreateWebhooks1790000003000', 'CreateScim1790000006000']);
  });
});
