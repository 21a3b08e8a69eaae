import { ask, manageStatus } from '../support/ask';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';
import { Receiver } from './receiver';

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startTestService();
  receiver = await Receiver.open();
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const register = (url: string) =>
  ask(`${service.url}/api/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.serviceToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['user.created'] }),
  });

it.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2130706433/',
])('a webhook for %s is refused', async (url) => {
  expect((await register(url)).text).toBe(
    '{"status":400,"message":"Please give the address of the webhook as an https URL on a public host."}',
  );
});

it('a webhook can be registered for a public address, and for a name that has no address yet', async () => {
  for (const url of ['https://1.1.1.1/', 'https://nowhere.invalid/']) expect((await register(url)).status).toBe(201);
});

it('nothing is sent to a private address, even if the database has a webhook for it', async () => {
  await service.dataSource.query(
    `WITH webhook AS (INSERT INTO webhook_subscriptions (id, url, events, secret) VALUES ('private', $1, '{user.status.changed}', 'whsec_AAAA'))
     INSERT INTO webhook_positions SELECT 'private', position FROM journal_head`,
    [`https://127.0.0.1:${receiver.port}/`],
  );
  await service.directory.user('max');
  const token = service.serviceToken();
  expect((await manageStatus(service, token, { id: 'max', token })).status).toBe(200);
  await eventually(async () => {
    expect(await service.dataSource.query('SELECT last_error FROM webhook_deliveries')).toEqual([
      { last_error: 'the host has an address that is not public; WEBHOOK_ALLOW_PRIVATE=true permits it' },
    ]);
  });
  expect(receiver.received).toEqual([]);
});
