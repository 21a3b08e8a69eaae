import { randomUUID } from 'node:crypto';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import type { ClaimedDelivery } from '../../src/plugins/webhooks/claim-deliveries';
import { DeliveryQueue } from '../../src/plugins/webhooks/delivery-queue';
import { useTestService } from '../support/test-service';
import { call } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';

/** The last change of every record, later than the next one begins: as if that one had waited for a lock. */
const LAST = '2100-01-01T00:00:00.000Z';
/** The time of a webhook always grows, because its ETag is made of it. */
const LATER = '2100-01-01T00:00:00.001Z';

const TABLES = {
  user: 'users',
  workspace: 'workspaces',
  group: 'groups',
  permission: 'permissions',
  webhook: 'webhook_subscriptions',
};
type Kind = keyof typeof TABLES;

const service = useTestService();

beforeEach(async () => {
  await writeSmallDirectory(service);
  await service.directory.user('dee', { type: 'member' });
  await service.directory.member('dee', 'atlas');
  await service.dataSource.query('DELETE FROM webhook_subscriptions');
  await service.dataSource.query(
    `INSERT INTO webhook_subscriptions (id, url, events, secret) VALUES ('hook', 'https://hooks.example/', '{}', 'none')`,
  );
});

const send = (method: string, path: string, body: unknown) => async () => {
  const { status } = await call(service, method, path, { body });
  expect(status).toBe(200);
};

const imported = (line: string) => async () => {
  const attribution = { actor: { kind: 'system', id: 'test' } } as const;
  const userTypes = new UserTypeService(new UserTypeRule());
  expect(await importDirectory(service.dataSource, [line], attribution, { userTypes })).toMatchObject({
    rowsWritten: 1,
  });
};

const WEBHOOK = '/api/webhooks/hook';

/** The receiver of the webhook has answered 410. */
const gone = async () => {
  const delivery = { subscriptionId: 'hook', entryId: '1', lease: randomUUID(), url: 'https://hooks.example/' };
  await service.app.get(DeliveryQueue).record(delivery as ClaimedDelivery, { kind: 'gone', status: 410 });
};

const inAtlas = (user: string) => ({ userIds: [user], workspaces: ['atlas'] });

it.each<[Kind, string, () => Promise<void>]>([
  ['user', 'PATCH', send('PATCH', '/api/users/ben', { displayName: 'Ben' })],
  ['user', 'status-assign', send('POST', '/api/users/status-assign', { userIds: ['ben'], status: 'inactive' })],
  ['user', 'workspace-assign', send('POST', '/api/users/workspace-assign', inAtlas('ben'))],
  ['user', 'workspace-unassign', send('POST', '/api/users/workspace-unassign', inAtlas('dee'))],
  [
    'user',
    'manage-status',
    () => send('POST', '/api/users/manage-status', { id: 'ben', token: service.serviceToken() })(),
  ],
  ['user', 'an import', imported('{"user":{"id":"ben","displayName":"Benjamin"}}')],
  ['workspace', 'PATCH', send('PATCH', '/api/workspaces/borealis', { name: 'Borealis' })],
  ['workspace', 'an import', imported('{"workspace":{"id":"borealis","name":"North"}}')],
  ['group', 'PATCH', send('PATCH', '/api/groups/borealis-editors', { name: 'Editors' })],
  ['group', 'an import', imported('{"group":{"id":"borealis-editors","name":"Authors","workspace":"borealis"}}')],
  ['permission', 'PATCH', send('PATCH', '/api/permissions/read', { grants: 'manager' })],
  ['permission', 'an import', imported('{"permission":{"id":"read","description":"Read","grants":"member"}}')],
  ['webhook', 'PATCH', send('PATCH', WEBHOOK, { enabled: false })],
  ['webhook', 'a new secret', send('POST', `${WEBHOOK}/secret`, undefined)],
  ['webhook', 'an answer of its receiver', gone],
])('updatedAt of a %s does not go backwards by %s', async (kind, _, change) => {
  const rows = async (): Promise<{ id: string; updated_at: Date }[]> =>
    service.dataSource.query(`SELECT * FROM ${TABLES[kind]} ORDER BY id`);
  await service.dataSource.query(`UPDATE ${TABLES[kind]} SET updated_at = '${LAST}'`);
  const before = await rows();
  await change();
  const after = await rows();
  expect(after).not.toEqual(before);
  expect(after.map(({ updated_at: at }) => at.toISOString())).toEqual(
    after.map(() => (kind === 'webhook' ? LATER : LAST)),
  );
});
