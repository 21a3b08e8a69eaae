import type { OpenedDatabase } from '../../src/database/open-database';
import { describeOnServer } from '../support/describe-on-server';
import { call } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';
import { openTestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';
import { Gate } from './gate';

const CHANGED = { status: 412, body: { status: 412, message: 'This record has been changed in the meantime.' } };

describeOnServer('a change of one version of a record, while another changes', () => {
  let database: OpenedDatabase;
  let service: TestService;
  beforeAll(async () => {
    database = await openTestDatabase();
    service = await startTestService({ database, environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  });
  afterAll(async () => {
    await service.close();
    await database.close();
  });
  beforeEach(() => writeSmallDirectory(service));

  describe.each([
    ['users', 'max', 'DELETE FROM user_permissions'],
    ['workspaces', 'atlas', 'DELETE FROM workspace_permissions'],
    ['groups', 'atlas-managers', 'DELETE FROM group_permissions'],
    ['permissions', 'read', `UPDATE permissions SET description = 'Look'`],
  ])('%s/%s: %s', (table, id, change) => {
    it.each(['PATCH', 'DELETE'])('is refused: %s', async (method) => {
      const path = `/api/${table}/${id}`;
      const etag = (await call(service, 'GET', path)).headers.get('etag') ?? '';
      const lock = `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`;
      const gate = await Gate.close(database.url, lock, [id]);
      const body = method === 'PATCH' ? {} : undefined;
      const answer = call(service, method, path, { body, headers: { 'if-match': etag } });
      await gate.waitFor(1);
      await gate.execute(change);
      await gate.commit();
      expect(await answer).toMatchObject(CHANGED);
    });

    it('is made, if If-None-Match names the version before: PATCH', async () => {
      const path = `/api/${table}/${id}`;
      const etag = (await call(service, 'GET', path)).headers.get('etag') ?? '';
      const lock = `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`;
      const gate = await Gate.close(database.url, lock, [id]);
      const answer = call(service, 'PATCH', path, { body: {}, headers: { 'if-none-match': etag } });
      await gate.waitFor(1);
      await gate.execute(change);
      await gate.commit();
      expect((await answer).status).toBe(200);
    });
  });

  it.each([
    ['PATCH', '', {}],
    ['DELETE', '', undefined],
    ['POST', '/secret', undefined],
  ])('is refused for a webhook: %s%s', async (method, suffix, body) => {
    const registration = { url: 'http://127.0.0.1:1/', events: ['user.status.changed'] };
    const created = await call(service, 'POST', '/api/webhooks', { body: registration });
    const path = String(created.headers.get('location'));
    const gate = await Gate.close(database.url, 'SELECT FROM webhook_subscriptions FOR UPDATE', []);
    const headers = { 'if-match': created.headers.get('etag') ?? '' };
    const answer = call(service, method, path + suffix, { body, headers });
    await gate.waitFor(1);
    await gate.execute("UPDATE webhook_subscriptions SET updated_at = updated_at + interval '1 second'");
    await gate.commit();
    expect(await answer).toMatchObject(CHANGED);
  });
});
