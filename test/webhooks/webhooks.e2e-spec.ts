import type { JournalPage } from '../../src/contract/journal';
import { LIMITS } from '../../src/contract/limits';
import { WEBHOOK_EVENT_TYPES } from '../../src/contract/webhooks';
import { startTestService, type TestService } from '../support/test-service';
import type { DeliveryDto, DeliveryWithBodyDto } from '../../src/webhooks/dto/delivery.dto';
import type { WebhookDto, WebhookWithSecretDto } from '../../src/webhooks/dto/webhook.dto';
import { type Answer, ask, assign, manageStatus } from '../support/ask';
import { writeSmallDirectory } from '../support/small-directory';
import { Receiver } from './receiver';

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startTestService({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await Receiver.open();
  await writeSmallDirectory(service);
});
afterEach(async () => {
  await service.dataSource.query('DELETE FROM webhook_subscriptions');
  await receiver.close();
});

function call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
  return ask(`${service.url}/api/webhooks${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.tokenOf('ada')}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function done<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await call(method, path, body);
  expect(answer).toMatchObject({ status: method === 'POST' && path === '' ? 201 : 200 });
  return JSON.parse(answer.text) as T;
}

const create = (events: readonly string[] = WEBHOOK_EVENT_TYPES, url = receiver.url) =>
  done<WebhookWithSecretDto>('POST', '', { url, events });

/** The newest entries of the journal on webhooks. */
async function told(count: number) {
  const answer = await ask(`${service.url}/api/journal?limit=${count}`, {
    headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
  });
  return (JSON.parse(answer.text) as JournalPage).entries.map(({ action, actor, before, after }) => ({
    action,
    actor: actor.id,
    before,
    after,
  }));
}

/** Deactivates a user, or activates one. */
async function toggle(user: string): Promise<void> {
  const token = service.tokenOf('ada');
  expect((await manageStatus(service, token, { id: user, token })).status).toBe(200);
}

/** The deliveries of a webhook, once they are so. */
async function deliveriesOf({ id }: WebhookDto, are: (deliveries: DeliveryDto[]) => boolean) {
  for (;;) {
    const { deliveries } = await done<{ deliveries: DeliveryDto[] }>('GET', `/${id}/deliveries`);
    if (are(deliveries)) return deliveries;
  }
}

const allDelivered = (count: number) => (deliveries: DeliveryDto[]) =>
  deliveries.length === count && deliveries.every(({ state }) => state === 'delivered');

describe('a webhook', () => {
  it('receives assignments, and changes of types and statuses', async () => {
    await create();
    const answer = await assign(service, service.tokenOf('ada'), { userIds: ['ben', 'cyd'], workspaces: ['atlas'] });
    expect(answer.status).toBe(200);
    await toggle('max');

    const received = await receiver.got(5);
    const lines = received.map(
      ({ event: { type, subject, data } }) => `${subject} ${type} ${JSON.stringify(data.after)}`,
    );
    expect(lines.toSorted()).toEqual([
      'ben user.type.changed {"type":"member"}',
      'ben user.workspaces.assigned {"groups":[],"workspaces":["atlas"]}',
      'cyd user.type.changed {"type":"member"}',
      'cyd user.workspaces.assigned {"groups":[],"workspaces":["atlas"]}',
      'max user.status.changed {"status":"inactive"}',
    ]);
    for (const user of ['ben', 'cyd']) {
      const types = received.filter(({ event }) => event.subject === user).map(({ event }) => event.type);
      expect(types).toEqual(['user.workspaces.assigned', 'user.type.changed']);
    }
    expect(received.map(({ event }) => event.data.actor)).toEqual(Array(5).fill({ kind: 'user', id: 'ada' }));
  });

  it('is created, read, changed and deleted; the journal records each change without the secret', async () => {
    const made = await create(['user.status.changed', 'user.type.changed', 'user.status.changed']);
    const { secret, ...webhook } = made;
    expect(made).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      url: receiver.url,
      events: ['user.type.changed', 'user.status.changed'],
      enabled: true,
      disabledReason: null,
      createdAt: expect.stringMatching(/^\d{4}-.+Z$/),
      updatedAt: webhook.createdAt,
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(await done('GET', `/${webhook.id}`)).toEqual(webhook);
    expect(await done('GET', '')).toEqual({ webhooks: [webhook] });

    const url = `${receiver.url}&v=2`;
    const changed = await done<WebhookDto>('PATCH', `/${webhook.id}`, {
      url,
      events: ['user.created'],
      enabled: false,
    });
    expect(changed).toEqual({
      ...webhook,
      url,
      events: ['user.created'],
      enabled: false,
      disabledReason: 'administrator',
      updatedAt: expect.any(String),
    });
    expect(await done('PATCH', `/${webhook.id}`, { enabled: false, url: null, events: null })).toEqual(changed);
    expect(await done('PATCH', `/${webhook.id}`, {})).toEqual(changed);
    expect(await call('DELETE', `/${webhook.id}`)).toMatchObject({ status: 204, text: '' });
    expect((await call('GET', `/${webhook.id}`)).status).toBe(404);
    expect(await done('GET', '')).toEqual({ webhooks: [] });

    const before = { webhook: webhook.id, url: receiver.url, events: webhook.events, enabled: true };
    const after = { webhook: webhook.id, url, events: ['user.created'], enabled: false };
    expect(await told(3)).toEqual([
      { action: 'webhook.deleted', actor: 'ada', before: after, after: null },
      { action: 'webhook.updated', actor: 'ada', before, after },
      { action: 'webhook.created', actor: 'ada', before: null, after: before },
    ]);
    const rows: { line: string }[] = await service.dataSource.query('SELECT e::text AS line FROM journal_entries AS e');
    expect(rows.filter(({ line }) => line.includes(secret.slice(6)))).toEqual([]);
  });

  it('is registered once for one key, and is found where `Location` says', async () => {
    const register = () =>
      call('POST', '', { url: receiver.url, events: ['user.created'] }, { 'idempotency-key': '"register"' });
    const [first, again] = [await register(), await register()];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    const { secret, ...webhook } = JSON.parse(first.text) as WebhookWithSecretDto;
    expect(secret).toMatch(/^whsec_/);
    for (const { headers } of [first, again]) {
      expect(headers.get('location')).toBe(`/api/webhooks/${webhook.id}`);
      // A validator would be that of the secret, which no later answer tells.
      expect(headers.get('etag')).toBeNull();
    }
    const found = await ask(`${service.url}${first.headers.get('location')}`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
    });
    expect(JSON.parse(found.text)).toEqual(webhook);
  });

  it('gets a new secret, and signs with the old one, too', async () => {
    const made = await create();
    const rotated = await done<WebhookWithSecretDto>('POST', `/${made.id}/secret`);
    expect(rotated).toEqual({ ...made, secret: expect.stringMatching(/^whsec_/), updatedAt: rotated.updatedAt });
    expect(rotated.secret).not.toBe(made.secret);
    const [entry] = await told(1);
    expect(entry).toMatchObject({ action: 'webhook.updated', after: { webhook: made.id, secretRotated: true } });

    await toggle('max');
    const [received] = await receiver.got(1);
    expect(received?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    const [row] = await service.dataSource.query(
      `SELECT previous_secret, previous_secret_expires_at - updated_at = interval '24 hours' AS for_a_day
       FROM webhook_subscriptions WHERE id = $1`,
      [made.id],
    );
    expect(row).toEqual({ previous_secret: made.secret, for_a_day: true });
  });

  it('that is enabled again, or moved, is tried at once', async () => {
    receiver.behaviour = () => 500;
    const webhook = await create();
    await toggle('max');
    const isPutOff = ([first]: DeliveryDto[]) => first?.lastStatus === 500 && first.nextAttemptAt !== null;
    await deliveriesOf(webhook, isPutOff);
    await service.dataSource.query(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 day'`);
    receiver.behaviour = () => 200;
    await done('PATCH', `/${webhook.id}`, { enabled: false });
    await done('PATCH', `/${webhook.id}`, { enabled: true });
    await deliveriesOf(webhook, allDelivered(1));
  });

  it('is refused beyond the maximum number of webhooks', async () => {
    await service.dataSource.query(
      `INSERT INTO webhook_subscriptions (id, url, events, secret, enabled, disabled_reason)
       SELECT 'webhook-' || n, 'https://example.com', '{}', '', false, 'gone' FROM generate_series(2, $1) AS n`,
      [LIMITS.webhooks],
    );
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call('POST', '', { url: receiver.url, events: ['user.type.changed'] })),
    );
    const refused = `409 {"status":409,"message":"At most 100 webhooks can be registered."}`;
    expect(answers.map(({ status, text }) => (status === 201 ? 'made' : `${status} ${text}`)).toSorted()).toEqual([
      refused,
      refused,
      refused,
      'made',
    ]);
  });
});

describe('the version of a webhook', () => {
  const versionOf = async (id: string) => (await call('GET', `/${id}`)).headers.get('etag') ?? '';
  const CHANGED = '{"status":412,"message":"This record has been changed in the meantime."}';

  it('is its ETag, which every change replaces', async () => {
    const { id } = await create();
    const first = await versionOf(id);
    expect(first).toMatch(/^"[\w-]{27}"$/);
    expect((await call('GET', `/${id}`, undefined, { 'if-none-match': first })).status).toBe(304);

    const changed = await call('PATCH', `/${id}`, { enabled: false }, { 'if-match': first });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, await versionOf(id)]);
    expect(changed.headers.get('etag')).not.toBe(first);
    const rotated = await call('POST', `/${id}/secret`);
    expect([rotated.status, rotated.headers.get('etag')]).toEqual([200, null]);
    expect(await versionOf(id)).not.toBe(changed.headers.get('etag'));
  });

  it('that is not the one in If-Match refuses a change, and writes nothing', async () => {
    const { id } = await create();
    const stale = await versionOf(id);
    await call('PATCH', `/${id}`, { events: ['user.status.changed'] });
    const { text } = await call('GET', `/${id}`);

    const change = await call('PATCH', `/${id}`, { events: ['user.type.changed'] }, { 'if-match': stale });
    expect([change.status, change.text]).toEqual([412, CHANGED]);
    const deletion = await call('DELETE', `/${id}`, undefined, { 'if-match': stale });
    expect([deletion.status, deletion.text]).toEqual([412, CHANGED]);
    expect((await call('GET', `/${id}`)).text).toBe(text);
    expect((await call('DELETE', `/${id}`, undefined, { 'if-match': await versionOf(id) })).status).toBe(204);
  });
});

describe('a delivery', () => {
  it('can be read with its body', async () => {
    const webhook = await create();
    await toggle('max');
    const [delivery] = await deliveriesOf(webhook, allDelivered(1));
    const [received] = receiver.received;
    expect(delivery).toEqual({
      id: received?.headers['webhook-id'],
      event: 'user.status.changed',
      user: 'max',
      state: 'delivered',
      attempts: 1,
      createdAt: expect.stringMatching(/Z$/),
      lastAttemptAt: expect.stringMatching(/Z$/),
      lastStatus: 204,
      lastError: null,
      nextAttemptAt: null,
      finishedAt: expect.stringMatching(/Z$/),
    });
    expect(await done('GET', `/${webhook.id}/deliveries/${delivery?.id}`)).toEqual({
      ...delivery,
      body: received?.event,
    });
  });

  it('can be sent again unchanged', async () => {
    const webhook = await create();
    await toggle('max');
    const [delivery] = await deliveriesOf(webhook, allDelivered(1));
    const replayed = await done<DeliveryWithBodyDto>('POST', `/${webhook.id}/deliveries/${delivery?.id}/replay`);
    expect(replayed).toMatchObject({ id: delivery?.id, state: expect.stringMatching(/pending|delivered/) });
    const [first, second] = await receiver.got(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.text).toBe(first?.text);
    await deliveriesOf(webhook, allDelivered(1));
  });

  it('that was given up is replayed, and holds up nothing meanwhile', async () => {
    receiver.behaviour = () => 500;
    const webhook = await create();
    await toggle('max');
    await deliveriesOf(webhook, ([first]) => first?.lastStatus === 500 && first.nextAttemptAt !== null);
    await service.dataSource.query(
      `UPDATE webhook_deliveries SET state = 'failed', finished_at = now() WHERE subscription_id = $1`,
      [webhook.id],
    );
    const [failed] = await deliveriesOf(webhook, () => true);
    await done('POST', `/${webhook.id}/deliveries/${failed?.id}/replay`);
    await receiver.got(2);
    receiver.behaviour = ({ event }) => (event.id === failed?.id ? 500 : 204);
    await toggle('max');
    const deliveries = await deliveriesOf(webhook, ([newest]) => newest?.state === 'delivered');
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'pending']);
  });

  it('that is put off is tried at once when it is replayed', async () => {
    receiver.behaviour = () => 500;
    const webhook = await create();
    await toggle('max');
    const isPutOff = ([first]: DeliveryDto[]) => first?.lastStatus === 500 && first.nextAttemptAt !== null;
    const [delivery] = await deliveriesOf(webhook, isPutOff);
    await service.dataSource.query(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 day'`);
    receiver.behaviour = () => 200;
    await done('POST', `/${webhook.id}/deliveries/${delivery?.id}/replay`);
    const [delivered] = await deliveriesOf(webhook, allDelivered(1));
    expect(delivered?.attempts).toBeGreaterThan(1);
  });

  it('is found page by page, newest first, and by its state', async () => {
    const webhook = await create();
    for (let turn = 0; turn < 5; turn++) await toggle('max');
    const deliveries = await deliveriesOf(webhook, allDelivered(5));
    const entries = deliveries.map(({ id }) => Number(id.split('_')[2]));
    expect(entries).toEqual(entries.toSorted((a, b) => b - a));

    const found: string[] = [];
    for (let cursor = ''; ;) {
      const page = await done<{ deliveries: DeliveryDto[]; next: string | null }>(
        'GET',
        `/${webhook.id}/deliveries?limit=2${cursor}`,
      );
      found.push(...page.deliveries.map(({ id }) => id));
      if (page.next === null) break;
      cursor = `&cursor=${page.next}`;
    }
    expect(found).toEqual(deliveries.map(({ id }) => id));
    const first = await call('GET', `/${webhook.id}/deliveries?state=delivered&limit=4`);
    expect(first.headers.get('link')).toBe(
      `</api/webhooks/${webhook.id}/deliveries?state=delivered&limit=4&cursor=${found[3]}>; rel="next"`,
    );
    expect((await call('GET', `/${webhook.id}/deliveries`)).headers.get('link')).toBeNull();
    const ofState = async (state: string) =>
      (await done<{ deliveries: object[] }>('GET', `/${webhook.id}/deliveries?state=${state}`)).deliveries.length;
    expect([await ofState('delivered'), await ofState('failed'), await ofState('waiting')]).toEqual([5, 0, 0]);
  });
});

describe('/api/webhooks refuses', () => {
  const URL_INVALID =
    '400 {"status":400,"message":"Please give the address of the webhook as an https URL on a public host."}';
  const EVENTS_INVALID = '400 {"status":400,"message":"Please select at least one valid event."}';
  const ENABLED_INVALID = '400 {"status":400,"message":"Please give a valid value for enabled."}';
  const UNKNOWN = '404 {"status":404,"message":"There is no such webhook."}';
  const said = ({ status, text }: Answer) => `${status} ${text}`;

  it.each([
    undefined,
    null,
    7,
    '',
    'no URL',
    ['https://example.com'],
    {},
    'ftp://example.com',
    'https://u:p@example.com',
  ])('the URL %p', async (url) => {
    expect(said(await call('POST', '', { url, events: ['user.type.changed'] }))).toBe(URL_INVALID);
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ['user.type.changed'],
    [{ 0: 'user.type.changed', length: 1 }],
    [['user.type.changed', 'webhook.created']],
    [['*']],
    [[['user.type.changed']]],
    [[null]],
  ])('the events %j', async (events) => {
    expect(said(await call('POST', '', { url: receiver.url, events }))).toBe(EVENTS_INVALID);
  });

  it('changes of the wrong shape, and changes nothing', async () => {
    const { secret, ...webhook } = await create();
    expect(secret).toBeDefined();
    expect(said(await call('PATCH', `/${webhook.id}`, { url: 'http://' }))).toBe(URL_INVALID);
    expect(said(await call('PATCH', `/${webhook.id}`, { events: [] }))).toBe(EVENTS_INVALID);
    for (const enabled of ['yes', 'true', 1, [], {}])
      expect(said(await call('PATCH', `/${webhook.id}`, { enabled }))).toBe(ENABLED_INVALID);
    expect((await call('PATCH', `/${webhook.id}`, { url: 'https://example.com', events: ['x'] })).status).toBe(400);
    expect(await done('GET', `/${webhook.id}`)).toEqual(webhook);
  });

  it.each(['x', '%00', '%F0%9F%98%80', 'x'.repeat(300), "'--", '__proto__'])('the unknown webhook %s', async (id) => {
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: true }],
      ['DELETE', ''],
      ['POST', '/secret'],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/msg_x_1'],
      ['POST', '/deliveries/msg_x_1/replay'],
    ] as const) {
      expect(said(await call(method, `/${id}${path}`, body))).toBe(UNKNOWN);
    }
  });

  it('unknown deliveries, and those of another webhook', async () => {
    const webhook = await create();
    const other = await create(['user.created']);
    await toggle('max');
    const [delivery] = await deliveriesOf(webhook, allDelivered(1));
    const entry = delivery?.id.split('_')[2];
    for (const id of [
      'x',
      `msg_${webhook.id}_0`,
      `msg_${webhook.id}_${Number(entry) + 1}`,
      `msg_${webhook.id}_0${entry}`,
      `msg_${webhook.id}_9223372036854775808`,
      `msg_${webhook.id}_${entry}x`,
      `msg_${other.id}_${entry}`,
    ]) {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/replay'],
      ] as const) {
        expect(said(await call(method, `/${webhook.id}/deliveries/${id}${path}`))).toBe(
          '404 {"status":404,"message":"There is no such delivery."}',
        );
      }
    }
    expect((await call('GET', `/${other.id}/deliveries/msg_${other.id}_${entry}`)).status).toBe(404);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=1&limit=1', 'state=x', 'state=', 'cursor=x', 'cursor=msg_x_0'])(
    'the query %s',
    async (query) => {
      const { id } = await create();
      const name = query.split('=')[0];
      expect(said(await call('GET', `/${id}/deliveries?${query}`))).toBe(
        `400 {"status":400,"message":"Please give a valid value for the query parameter ${name}."}`,
      );
    },
  );

  it('a cursor of another webhook', async () => {
    const [one, other] = [await create(), await create()];
    const said = async (cursor: string) => {
      const { status, text } = await call('GET', `/${one.id}/deliveries?cursor=${cursor}`);
      return `${status} ${text}`;
    };
    expect(await said(`msg_${one.id}_7`)).toBe('200 {"deliveries":[],"next":null}');
    expect(await said(`msg_${other.id}_7`)).toBe(
      '400 {"status":400,"message":"Please give a valid value for the query parameter cursor."}',
    );
  });

  it('a caller that is not an administrator', async () => {
    const { id } = await create();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/secret`],
      ['GET', `/${id}/deliveries`],
      ['GET', `/${id}/deliveries/x`],
      ['POST', `/${id}/deliveries/x/replay`],
    ] as const) {
      const manager = await call(method, path, undefined, { authorization: `Bearer ${service.tokenOf('max')}` });
      const stranger = await call(method, path, undefined, { authorization: '' });
      expect([manager.status, stranger.status]).toEqual([403, 401]);
    }
  });
});
