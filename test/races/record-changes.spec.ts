import { describeOnServer } from '../support/describe-on-server';
import { call, type RecordRequest } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';
import { Gate } from './gate';

const CHANGED = { status: 412, body: { status: 412, message: 'This record has been changed in the meantime.' } };

describeOnServer('a change of one version of a record, while another changes', () => {
  const service = useTestService({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  beforeEach(() => writeSmallDirectory(service));

  /** What a request is answered that waits for this lock while the record changes. */
  async function whileChanging(lock: string, change: string, ...request: [string, string, RecordRequest]) {
    const gate = await Gate.close(service.config.databaseUrl as string, lock, []);
    return gate.during(
      () => call(service, ...request),
      () => gate.execute(change),
    );
  }

  describe.each([
    ['users', 'max', 'DELETE FROM user_permissions'],
    ['workspaces', 'atlas', 'DELETE FROM workspace_permissions'],
    ['groups', 'atlas-managers', 'DELETE FROM group_permissions'],
    ['permissions', 'read', `UPDATE permissions SET description = 'Look'`],
  ])('%s/%s: %s', (table, id, change) => {
    const lock = `SELECT FROM ${table} WHERE id = '${id}' FOR UPDATE`;
    const path = `/api/${table}/${id}`;

    it.each(['PATCH', 'DELETE'])('is refused: %s', async (method) => {
      const etag = (await call(service, 'GET', path)).headers.get('etag') ?? '';
      const request = { body: method === 'PATCH' ? {} : undefined, headers: { 'if-match': etag } };
      expect(await whileChanging(lock, change, method, path, request)).toMatchObject(CHANGED);
    });

    it('is made, if If-None-Match names the version before: PATCH', async () => {
      const etag = (await call(service, 'GET', path)).headers.get('etag') ?? '';
      const request = { body: {}, headers: { 'if-none-match': etag } };
      expect((await whileChanging(lock, change, 'PATCH', path, request)).status).toBe(200);
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
    const headers = { 'if-match': created.headers.get('etag') ?? '' };
    const change = "UPDATE webhook_subscriptions SET updated_at = updated_at + interval '1 second'";
    const lock = 'SELECT FROM webhook_subscriptions FOR UPDATE';
    const answer = await whileChanging(lock, change, method, path + suffix, { body, headers });
    expect(answer).toMatchObject(CHANGED);
  });
});
