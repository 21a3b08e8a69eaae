import { ActiveUsers } from '../../client/src/active-users/active-users.ts';
import { UserAdministrationClient } from '../../client/src/user-administration-client.ts';
import type { OpenedDatabase } from '@user-administration/postgres';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { SEALING } from '../support/sealed';
import { openTestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';
import { Gate } from './gate';

/** As long as sealing many changes takes, the journal tells nothing. Here it takes as long as the gate is closed. */
describeOnServer('while the journal is not sealed, the guard of another app', () => {
  let database: OpenedDatabase;
  let service: TestService;
  let client: UserAdministrationClient;
  let users: ActiveUsers;
  let gate: Gate;
  const verdicts = (...ids: string[]) => ids.map((id) => users.verdict(id));

  beforeEach(async () => {
    database = await openTestDatabase();
    service = await startTestService({ database });
    await service.directory.user('ada', { type: 'administrator' });
    for (const id of ['ben', 'cyd', 'dee', 'eve']) await service.directory.user(id);
    client = new UserAdministrationClient({ baseUrl: service.url, token: service.serviceToken() });
    users = new ActiveUsers(client, { silentAfterMs: 3_000 });
    users.start();
    expect(await users.ready(20_000)).toBe(true);
    gate = await Gate.close(database.url, SEALING, []);
  });
  afterEach(async () => {
    users.stop();
    await gate.open();
    await service.close();
    await database.close();
  });

  it('knows who was deactivated, deleted, renamed and activated, and refuses nobody else', async () => {
    await client.users.assignStatus({ userIds: ['ben'], status: 'inactive' });
    await eventually(() => expect(verdicts('ada', 'ben', 'cyd')).toEqual(['active', 'refused', 'active']));
    await client.users.delete('cyd');
    await client.users.rename('dee', { id: 'dee-2' });
    await client.users.assignStatus({ userIds: ['ben'], status: 'active' });
    await client.users.create({ id: 'fay', status: 'inactive' });
    const expected = ['active', 'refused', 'refused', 'active', 'active', 'refused'];
    await eventually(() => expect(verdicts('ben', 'cyd', 'dee', 'dee-2', 'eve', 'fay')).toEqual(expected));
    // It stays current for longer than a silent service would be trusted.
    const until = performance.now() + 4_000;
    await eventually(() => {
      expect(verdicts('ben', 'cyd', 'dee', 'dee-2', 'eve', 'fay')).toEqual(expected);
      expect(performance.now()).toBeGreaterThan(until);
    });
    await gate.open();
  });
});
