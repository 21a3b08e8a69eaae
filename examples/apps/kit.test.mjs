// The test kit in ES modules, under Jest.
import { startUserAdministration } from '@user-administration/testing';
import { UserAdministrationClient } from '@user-administration/client';

test('starts the service', async () => {
  const users = await startUserAdministration();
  expect(users.client).toBeInstanceOf(UserAdministrationClient);
  await users.client.users.assignWorkspaces({ userIds: ['dee'], workspaces: ['atlas'] });
  expect((await users.events.first('user.workspaces.assigned')).subject).toBe('dee');
  await users.close();
}, 180_000);
