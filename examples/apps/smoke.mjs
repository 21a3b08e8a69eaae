// A start, and a dozen calls of the contract with whole answers, with nothing but the test kit.
import assert from 'node:assert/strict';
import { startUserAdministration } from '@user-administration/testing';

const began = performance.now();
const users = await startUserAdministration();
const ready = performance.now() - began;

const MEMBERS = { userIds: ['dee'], workspaces: ['atlas'], groups: ['atlas-managers'] };

async function call(method, path, body, { caller = 'ada', ...headers } = {}) {
  const authorization = `Bearer ${users.tokenFor(caller)}`;
  const init = { method, headers: { authorization, 'content-type': 'application/json', ...headers } };
  const response = await fetch(`${users.url}/api${path}`, { ...init, body: body && JSON.stringify(body) });
  return [response.status, await response.json()];
}

async function expectAnswer(status, message, ...request) {
  assert.deepEqual(await call(...request), [status, { status, message }]);
}

const ASSIGN = '/users/workspace-assign';
await expectAnswer(401, 'Please sign in with a valid token.', 'POST', ASSIGN, MEMBERS, { authorization: 'Bearer x' });
await expectAnswer(403, 'Only an administrator can do this.', 'POST', ASSIGN, MEMBERS, { caller: 'ben' });
await expectAnswer(400, 'Please select at least one user.', 'POST', ASSIGN, {});
await expectAnswer(400, 'Please select a valid Group.', 'POST', ASSIGN, { ...MEMBERS, groups: ['cosmos-admins'] });
await expectAnswer(
  400,
  'Bitte wählen Sie mindestens einen Benutzer aus.',
  'POST',
  ASSIGN,
  {},
  { 'accept-language': 'de' },
);
await expectAnswer(200, 'Users successfully assigned to workspaces.', 'POST', ASSIGN, MEMBERS);
assert.equal((await call('GET', '/users/dee'))[1].type, 'manager');
await expectAnswer(200, 'Users successfully unassigned from workspaces.', 'POST', '/users/workspace-unassign', MEMBERS);
const [, made] = await call('POST', '/users/status-tokens', { id: 'dee', status: 'inactive' });
assert.deepEqual(await call('POST', '/users/manage-status', { id: 'dee', token: made.token }), [
  200,
  { status: 'success', message: 'User status updated successfully' },
]);
await expectAnswer(401, 'Please sign in with a valid token.', 'GET', '/me', undefined, { caller: 'dee' });
const [, { entries }] = await call('GET', '/journal?user=dee&action=user.status.changed');
assert.equal(entries.length, 1);
const { code } = (await call('GET', '/users/none', undefined, { accept: 'application/problem+json' }))[1];
assert.equal(code, 'user.unknown');
assert.equal((await users.client.users.get('dee')).status, 'inactive');

const page = await (await fetch(`${users.url}/admin`)).text();
const [, script] = /src="([^"]+)"/.exec(page);
const { status, headers } = await fetch(new URL(script, `${users.url}/admin`));
assert.deepEqual([status, headers.get('content-type')], [200, 'text/javascript; charset=utf-8']);

await users.close();
console.log(`Node ${process.version}: ready after ${ready.toFixed(0)} ms`);
