// The test kit under Jest and under Vitest, whose globals have the same names. `node --test` runs the sample's own suite.
const { startUserAdministration } = require('@user-administration/testing');

let users;
beforeAll(async () => {
  users = await startUserAdministration();
}, 180_000);
afterAll(() => users.close());
beforeEach(() => users.reset());

test('changes the real directory, and reports events', async () => {
  await users.client.users.assignWorkspaces({ userIds: ['dee'], workspaces: ['atlas'] });
  const { type, subject } = await users.events.first('user.workspaces.assigned');
  expect([type, subject]).toEqual(['user.workspaces.assigned', 'dee']);
});

test('starts again after a reset', async () => {
  expect(await users.events.all()).toEqual([]);
});

test('fails as planned', async () => {
  await users.failNext({ status: 503 });
  const answer = () => fetch(`${users.url}/api/me`, { headers: { authorization: `Bearer ${users.tokenFor('ada')}` } });
  expect((await answer()).status).toBe(503);
  expect((await answer()).status).toBe(200);
});
