import { Client } from 'pg';
import type { WebhookDto } from '../../src/plugins/webhooks/dto/webhook.dto';
import type { DeliveryDto } from '../../src/plugins/webhooks/dto/delivery.dto';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { JournalWriter } from '../journal/journal-writer';
import { Gate } from '../races/gate';
import { assign } from '../support/ask';
import { testDatabaseUrl } from '../setup/test-environment';
import { describeOnServer } from '../support/describe-on-server';
import { querySealed, sealed } from '../support/sealed';
import { WebhookApi } from './webhook-api';
import { WEBHOOK_LIMITS } from '../../src/plugins/webhooks/limits';

const api = WebhookApi.forEachTest();
const EVENT = ['user.status.changed', 'user.type.changed'];

// Only what reads the journal for a webhook makes deliveries. Here that is the test.
beforeAll(() => api.service.app.get(DeliveryWorker).stop());
afterEach(() => api.service.dataSource.query('DELETE FROM webhook_deliveries'));

/** The users of the deliveries of a webhook, oldest first. */
async function owed({ id }: WebhookDto): Promise<(string | null)[]> {
  const { deliveries } = await api.done<{ deliveries: DeliveryDto[] }>('GET', `/${id}/deliveries`);
  return deliveries.map(({ user }) => user).reverse();
}

const patch = ({ id }: WebhookDto, change: object) => api.done<WebhookDto>('PATCH', `/${id}`, change);

describe('a webhook is owed', () => {
  it('nothing of what was answered before its registration', async () => {
    await api.toggle('max');
    const webhook = await api.create(EVENT);
    await api.toggle('ben');
    expect(await owed(webhook)).toEqual(['ben']);
  });

  it('what was answered before it was disabled, and nothing until it is enabled again', async () => {
    const webhook = await api.create(EVENT);
    await api.toggle('max');
    await patch(webhook, { enabled: false });
    await api.toggle('ben');
    await patch(webhook, { enabled: true });
    await api.toggle('cyd');
    expect(await owed(webhook)).toEqual(['max', 'cyd']);
  });

  it('a delivery that is as old as its change, however late it is made', async () => {
    const webhook = await api.create(EVENT);
    await api.toggle('max');
    await sealed(api.service.dataSource);
    const [change] = await api.service.dataSource.query<[{ at: Date }]>(
      'SELECT at FROM journal_changes ORDER BY position DESC LIMIT 1',
    );
    const { deliveries } = await api.done<{ deliveries: DeliveryDto[] }>('GET', `/${webhook.id}/deliveries`);
    expect(deliveries.map(({ createdAt }) => createdAt)).toEqual([change.at.toISOString()]);
    const [delivery] = await api.service.dataSource.query<[{ asked_at: Date }]>(
      'SELECT asked_at FROM webhook_deliveries',
    );
    expect(delivery.asked_at).toEqual(change.at);
  });

  it('a new event from when it was answered, and an old one until then', async () => {
    const webhook = await api.create(['user.type.changed']);
    await api.toggle('max');
    await patch(webhook, { events: ['user.status.changed'] });
    await api.toggle('ben');
    await patch(webhook, { events: ['user.type.changed'] });
    expect(await owed(webhook)).toEqual(['ben']);
  });

  it('what a caller does not pay for: deliveries to 100 webhooks are made after the answer, in slices', async () => {
    const { dataSource, directory } = api.service;
    await directory.workspace('crowd');
    await dataSource.query(`INSERT INTO users (id) SELECT 'one-' || n FROM generate_series(1, 10000) AS n`);
    await dataSource.query(
      `WITH webhook AS (
         INSERT INTO webhook_subscriptions (id, url, events, secret)
         SELECT 'webhook-' || n, 'https://example.com', '{user.workspaces.assigned}', '' FROM generate_series(1, $1) AS n RETURNING id
       ) INSERT INTO webhook_positions SELECT webhook.id, position FROM webhook, journal_head`,
      [WEBHOOK_LIMITS.webhooks],
    );
    const userIds = Array.from({ length: 10_000 }, (_, index) => `one-${index + 1}`);
    const { status } = await assign(api.service, api.service.serviceToken(), { userIds, workspaces: ['crowd'] });
    expect(status).toBe(200);
    const count = async () => (await dataSource.query<unknown[]>('SELECT FROM webhook_deliveries')).length;
    expect(await count()).toBe(0);
    await querySealed(dataSource, `SELECT expand_next_webhook('')`);
    expect(await count()).toBe(1_000);
    await dataSource.query(`SELECT expand_next_webhook('webhook-1')`);
    expect(await count()).toBe(2_000);
  });
});

describeOnServer('a webhook is owed, beside other transactions,', () => {
  async function databaseUrl(): Promise<string> {
    const [{ name }] = await api.service.dataSource.query<[{ name: string }]>('SELECT current_database() AS name');
    return String(Object.assign(new URL(testDatabaseUrl() ?? ''), { pathname: name }));
  }

  it('all of a transaction that had begun before its registration and was committed after it', async () => {
    const writer = new JournalWriter(await databaseUrl(), 'early');
    await writer.begin();
    await writer.append('one', 'writers', false);
    const webhook = await api.create(EVENT);
    await writer.append('two', 'writers', false);
    await writer.commit();
    expect(await owed(webhook)).toEqual(['early', 'early']);
  });

  it('what it was, after a process was killed while it read the journal for it', async () => {
    const { dataSource } = api.service;
    const url = await databaseUrl();
    const webhook = await api.create(EVENT);
    await api.toggle('max');
    await sealed(dataSource);
    const gate = await Gate.close(url, 'LOCK TABLE webhook_deliveries IN SHARE MODE', []);
    const killed = new Client(url);
    killed.on('error', () => undefined);
    await killed.connect();
    const { rows } = await killed.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const failed = expect(killed.query(`SELECT expand_next_webhook('')`)).rejects.toThrow(/terminat/);
    await gate.waitFor(1);
    await dataSource.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await failed;
    await gate.open();
    expect(await owed(webhook)).toEqual(['max']);
  });
});
