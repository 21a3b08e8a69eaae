import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserAdministrationClient } from '../src/user-administration-client.ts';

const document = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, object>>;
};

/** A body that passes for an answer of any operation. */
const LISTS = [
  'users',
  'workspaces',
  'groups',
  'permissions',
  'memberships',
  'entries',
  'deliveries',
  'webhooks',
  'connections',
];
const ANY_BODY = { ...Object.fromEntries(LISTS.map((name) => [name, []])), next: null, id: 'x' };

const called = new Set<string>();
const client = new UserAdministrationClient({
  baseUrl: 'http://users.example',
  token: 'token',
  fetch: (_, init) =>
    Promise.resolve(init?.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(ANY_BODY)),
  hooks: { attemptStarted: ({ operation }) => called.add(operation) },
});

beforeAll(async () => {
  const bulk = { userIds: ['ben'], workspaces: ['atlas'] };
  await client.me();
  // The body of every answer here is no register.
  await client
    .access()
    .next()
    .catch(() => undefined);
  await client.health.live();
  await client.health.ready();
  await client.users.assignWorkspaces(bulk);
  await client.users.unassignWorkspaces(bulk);
  await client.users.assignStatus({ userIds: ['ben'], status: 'active' });
  await client.users.manageStatus({ id: 'ben', token: 'token' });
  await client.users.rename('ben', { id: 'ben-2' });
  await client.users.memberships('ben').all();
  await client.users.permissions('ben').all();
  await client.statusTokens.create({ id: 'ben', status: 'active' });
  for (const records of [client.users, client.workspaces, client.groups, client.permissions]) {
    await records.list().all();
    await records.get('x');
    await records.create({} as never);
    await records.update('x', {});
    await (records as typeof client.users).delete('x');
  }
  await client.imports.create('');
  await client.journal.list().all();
  await client.journal.undo('7');
  await client.scimConnections.list().all();
  await client.scimConnections.get('x');
  await client.scimConnections.create({ name: 'Okta', workspace: 'atlas' });
  await client.scimConnections.update('x', { name: 'Entra ID' });
  await client.scimConnections.delete('x');
  await client.scimConnections.rotateToken('x');
  await client.webhooks.list();
  await client.webhooks.get('x');
  await client.webhooks.create({ url: 'https://hooks.example', events: ['user.type.changed'] });
  await client.webhooks.update('x', { enabled: false });
  await client.webhooks.delete('x');
  await client.webhooks.rotateSecret('x');
  await client.webhooks.deliveries('x').all();
  await client.webhooks.delivery('x', 'y');
  await client.webhooks.replay('x', 'y');
});

describe('the client', () => {
  it('has a method for every operation of openapi.json', () => {
    const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    expect(operations.length).toBeGreaterThan(10);
    expect(operations.filter((operation) => !called.has(operation))).toEqual([]);
  });
});
