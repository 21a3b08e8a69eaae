import { randomBytes } from 'node:crypto';
import { WebhookReceiver } from '../../client/src/webhooks/webhook-receiver.ts';
import type { WebhookDto, WebhookWithSecretDto } from '../../src/plugins/webhooks/dto/webhook.dto';
import { ask, assign } from '../support/ask';
import type { Received } from './receiver';
import { allDelivered, isPutOff, WebhookApi } from './webhook-api';
import { WEBHOOK_LIMITS } from '../../src/plugins/webhooks/limits';

const api = WebhookApi.forEachTest();

describe('a webhook', () => {
  it('receives assignments and changes of types and statuses', async () => {
    await api.create();
    const answer = await assign(api.service, api.service.tokenOf('ada'), {
      userIds: ['ben', 'cyd'],
      workspaces: ['atlas'],
    });
    expect(answer.status).toBe(200);
    await api.toggle('max');

    const received = await api.receiver.got(5);
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

  it('can be created, read, changed and deleted, and the journal records each change without the secret', async () => {
    const made = await api.create(['user.status.changed', 'user.type.changed', 'user.status.changed']);
    const { secret, ...webhook } = made;
    expect(made).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      url: api.receiver.url,
      events: ['user.type.changed', 'user.status.changed'],
      enabled: true,
      disabledReason: null,
      contentType: 'application/cloudevents+json',
      createdAt: expect.stringMatching(/^\d{4}-.+Z$/),
      updatedAt: webhook.createdAt,
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(await api.done('GET', `/${webhook.id}`)).toEqual(webhook);
    expect(await api.done('GET', '')).toEqual({ webhooks: [webhook] });

    const url = `${api.receiver.url}&v=2`;
    const changed = await api.done<WebhookDto>('PATCH', `/${webhook.id}`, {
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
    expect(await api.done('PATCH', `/${webhook.id}`, { enabled: false, url: null, events: null })).toEqual(changed);
    expect(await api.done('PATCH', `/${webhook.id}`, {})).toEqual(changed);
    expect(await api.call('DELETE', `/${webhook.id}`)).toMatchObject({ status: 204, text: '' });
    expect((await api.call('GET', `/${webhook.id}`)).status).toBe(404);
    expect(await api.done('GET', '')).toEqual({ webhooks: [] });

    const origin = new URL(api.receiver.url).origin;
    const before = { webhook: webhook.id, url: origin, events: webhook.events, enabled: true };
    const after = { webhook: webhook.id, url: origin, events: ['user.created'], enabled: false };
    expect(await api.newestEntries(3)).toEqual([
      { action: 'webhook.deleted', actor: 'ada', before: after, after: null },
      { action: 'webhook.updated', actor: 'ada', before, after },
      { action: 'webhook.created', actor: 'ada', before: null, after: before },
    ]);
    const rows: { line: string }[] = await api.service.dataSource.query(
      'SELECT e::text AS line FROM journal_entries AS e',
    );
    expect(rows.filter(({ line }) => line.includes(secret.slice(6)))).toEqual([]);
  });

  it('sends application/json if it is told to, at its creation or later', async () => {
    const body = { url: api.receiver.url, events: ['user.status.changed'] };
    const json = { ...body, contentType: 'application/json' };
    const made = await api.done<WebhookWithSecretDto>('POST', '', json);
    const other = await api.done<WebhookWithSecretDto>('POST', '', { ...body, contentType: null });
    expect([made, other].map(({ contentType }) => contentType)).toEqual([
      'application/json',
      'application/cloudevents+json',
    ]);
    await api.toggle('max');
    const types = (received: Received[]) => received.map(({ headers }) => headers['content-type']).sort();
    const [usual, plain] = ['application/cloudevents+json; charset=utf-8', 'application/json; charset=utf-8'];
    expect(types(await api.receiver.got(2))).toEqual([usual, plain]);
    await api.done('PATCH', `/${other.id}`, { contentType: 'application/json' });
    expect(await api.done('PATCH', `/${other.id}`, { contentType: null })).toMatchObject({
      contentType: 'application/json',
    });
    await api.toggle('max');
    expect(types((await api.receiver.got(4)).slice(2))).toEqual([plain, plain]);
    const facts = { webhook: other.id, ...body, url: new URL(body.url).origin, enabled: true };
    expect(await api.newestEntries(2)).toContainEqual({
      action: 'webhook.updated',
      actor: 'ada',
      before: facts,
      after: { ...facts, contentType: 'application/json' },
    });
  });

  it.each([24, 32, 64])('signs with a secret of the caller of %i bytes', async (bytes) => {
    const secret = `whsec_${randomBytes(bytes).toString('base64')}`;
    const body = { url: api.receiver.url, events: ['user.status.changed'], secret };
    expect(await api.done('POST', '', body)).toMatchObject({ secret });
    await api.toggle('max');
    const [{ text, headers }] = (await api.receiver.got(1)) as [Received];
    expect(new WebhookReceiver({ secrets: secret }).verify(text, headers)).toMatchObject({ subject: 'max' });
  });

  it('tells the trace of the request that made the change, whatever it changed', async () => {
    await api.create();
    const traceparent = 'cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more';
    const changes: [string, string, object?][] = [
      ['POST', 'users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] }],
      ['POST', 'users/workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'] }],
      ['POST', 'users/status-assign', { userIds: ['max'], status: 'inactive' }],
      ['POST', 'users/manage-status', { id: 'max', token: api.service.tokenOf('ada') }],
      ['POST', 'users/status-tokens', { id: 'max', status: 'inactive' }],
      ['POST', 'users', { id: 'new' }],
      ['PATCH', 'users/new', { displayName: 'New', permissions: [] }],
      ['DELETE', 'users/new'],
      ['POST', 'workspaces', { id: 'new', name: 'New' }],
    ];
    for (const [method, path, body] of changes) {
      const headers = {
        authorization: `Bearer ${api.service.tokenOf('ada')}`,
        traceparent,
        'x-request-id': path,
        ...(body && { 'content-type': 'application/json' }),
      };
      const answer = await ask(`${api.service.url}/api/${path}`, { method, headers, body: JSON.stringify(body) });
      expect([path, answer.status]).toEqual([path, expect.any(Number)]);
      expect(answer.status).toBeLessThan(300);
    }
    await api.toggle('max');
    const received = await api.receiver.got(12);
    const traces = received.map(({ event, headers }) => [event.type, event.traceparent, headers.traceparent]);
    expect(traces.filter((each) => each[1] !== traceparent || each[2] !== traceparent)).toEqual([
      ['user.status.changed', undefined, undefined],
    ]);
    expect(new Set(received.map(({ event }) => event.data.requestId)).size).toBe(9);
  });

  it('tells no trace if that of the request is invalid', async () => {
    await api.create(['user.created']);
    const headers = { authorization: `Bearer ${api.service.tokenOf('ada')}`, 'content-type': 'application/json' };
    const traceparent = 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await ask(`${api.service.url}/api/users`, {
      method: 'POST',
      headers: { ...headers, traceparent },
      body: '{"id":"new"}',
    });
    const [{ event }] = (await api.receiver.got(1)) as [Received];
    expect(event).not.toHaveProperty('traceparent');
  });

  it.each<[unknown, boolean]>([
    [false, false],
    [true, true],
    [null, true],
  ])('created with enabled: %j receives events: %j', async (given, enabled) => {
    const body = { url: api.receiver.url, events: ['user.status.changed'], enabled: given };
    const { secret, ...webhook } = await api.done<WebhookWithSecretDto>('POST', '', body);
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({ enabled, disabledReason: enabled ? null : 'administrator' });
    expect(await api.done('GET', `/${webhook.id}`)).toEqual(webhook);
    await api.toggle('max');
    const { deliveries } = await api.done<{ deliveries: unknown[] }>('GET', `/${webhook.id}/deliveries`);
    expect(deliveries).toHaveLength(enabled ? 1 : 0);
  });

  it('is created once per Idempotency-Key, at the address in Location', async () => {
    const register = () =>
      api.call('POST', '', { url: api.receiver.url, events: ['user.created'] }, { 'idempotency-key': '"register"' });
    const [first, again] = [await register(), await register()];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    const { secret, ...webhook } = JSON.parse(first.text) as WebhookWithSecretDto;
    expect(secret).toMatch(/^whsec_/);
    for (const { headers } of [first, again]) {
      expect(headers.get('location')).toBe(`/api/webhooks/${webhook.id}`);
    }
    const found = await ask(`${api.service.url}${first.headers.get('location')}`, {
      headers: { authorization: `Bearer ${api.service.tokenOf('ada')}` },
    });
    expect(JSON.parse(found.text)).toEqual(webhook);
    expect([first, again].map(({ headers }) => headers.get('etag'))).toEqual(Array(2).fill(found.headers.get('etag')));
  });

  it('can be given a new secret, and for a day signs with both', async () => {
    const made = await api.create();
    const rotated = await api.done<WebhookWithSecretDto>('POST', `/${made.id}/secret`);
    expect(rotated).toEqual({ ...made, secret: expect.stringMatching(/^whsec_/), updatedAt: rotated.updatedAt });
    expect(rotated.secret).not.toBe(made.secret);
    const [entry] = await api.newestEntries(1);
    expect(entry).toMatchObject({ action: 'webhook.updated', after: { webhook: made.id, secretRotated: true } });

    await api.toggle('max');
    const [received] = await api.receiver.got(1);
    expect(received?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    const [row] = await api.service.dataSource.query(
      `SELECT previous_secret, previous_secret_expires_at - updated_at = interval '24 hours' AS for_a_day
       FROM webhook_subscriptions WHERE id = $1`,
      [made.id],
    );
    expect(row).toEqual({ previous_secret: made.secret, for_a_day: true });
  });

  it('is sent its pending deliveries at once after it was disabled and enabled again', async () => {
    api.receiver.behaviour = () => 500;
    const webhook = await api.create();
    await api.toggle('max');
    await api.deliveriesOf(webhook, isPutOff);
    await api.service.dataSource.query(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 day'`);
    api.receiver.behaviour = () => 200;
    await api.done('PATCH', `/${webhook.id}`, { enabled: false });
    await api.done('PATCH', `/${webhook.id}`, { enabled: true });
    await api.deliveriesOf(webhook, allDelivered(1));
  });

  it('is refused if 100 webhooks exist, also to concurrent callers', async () => {
    await api.service.dataSource.query(
      `INSERT INTO webhook_subscriptions (id, url, events, secret, enabled, disabled_reason)
       SELECT 'webhook-' || n, 'https://example.com', '{}', '', false, 'gone' FROM generate_series(2, $1) AS n`,
      [WEBHOOK_LIMITS.webhooks],
    );
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.call('POST', '', { url: api.receiver.url, events: ['user.type.changed'] })),
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

describe('the ETag of a webhook', () => {
  const versionOf = async (id: string) => (await api.call('GET', `/${id}`)).headers.get('etag') ?? '';
  const CHANGED = '{"status":412,"message":"This record has been changed in the meantime."}';

  it('changes with every change of the webhook', async () => {
    const { id } = await api.create();
    const first = await versionOf(id);
    expect(first).toMatch(/^"[\w-]{27}"$/);
    expect((await api.call('GET', `/${id}`, undefined, { 'if-none-match': first })).status).toBe(304);

    const changed = await api.call('PATCH', `/${id}`, { enabled: false }, { 'if-match': first });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, await versionOf(id)]);
    expect(changed.headers.get('etag')).not.toBe(first);
    const rotated = await api.call('POST', `/${id}/secret`);
    expect([rotated.status, rotated.headers.get('etag')]).toEqual([200, await versionOf(id)]);
    expect(await versionOf(id)).not.toBe(changed.headers.get('etag'));
  });

  it('must match If-Match: otherwise a change is refused, and nothing is written', async () => {
    const { id } = await api.create();
    const stale = await versionOf(id);
    await api.call('PATCH', `/${id}`, { events: ['user.status.changed'] });
    const { text } = await api.call('GET', `/${id}`);

    const change = await api.call('PATCH', `/${id}`, { events: ['user.type.changed'] }, { 'if-match': stale });
    expect([change.status, change.text]).toEqual([412, CHANGED]);
    const deletion = await api.call('DELETE', `/${id}`, undefined, { 'if-match': stale });
    expect([deletion.status, deletion.text]).toEqual([412, CHANGED]);
    const rotation = await api.call('POST', `/${id}/secret`, undefined, { 'if-match': stale });
    expect([rotation.status, rotation.text]).toEqual([412, CHANGED]);
    expect((await api.call('GET', `/${id}`)).text).toBe(text);
    expect((await api.call('DELETE', `/${id}`, undefined, { 'if-match': await versionOf(id) })).status).toBe(204);
    expect((await api.call('POST', `/${id}/secret`, undefined, { 'if-match': stale })).status).toBe(404);
  });

  it('must not match If-None-Match: otherwise a change is refused, and nothing is written', async () => {
    const { id } = await api.create();
    const etag = await versionOf(id);
    for (const held of [etag, `W/${etag}`, '*', `"other",${etag}`]) {
      const headers = { 'if-none-match': held };
      for (const [method, path, body] of [
        ['PATCH', `/${id}`, { enabled: false }],
        ['DELETE', `/${id}`, undefined],
        ['POST', `/${id}/secret`, undefined],
      ] as const) {
        const refused = await api.call(method, path, body, headers);
        expect([refused.status, refused.text]).toEqual([412, CHANGED]);
      }
    }
    expect(await versionOf(id)).toBe(etag);
    expect((await api.call('POST', `/${id}/secret`, undefined, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('changes with every new secret, also if the clock was set back: a version is rotated once', async () => {
    const { id } = await api.create();
    await api.service.dataSource.query(
      `UPDATE webhook_subscriptions SET updated_at = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    const etag = await versionOf(id);
    const key = { 'if-match': etag, 'idempotency-key': `rotate-${id}` };
    const first = await api.call('POST', `/${id}/secret`, undefined, key);
    expect(first.status).toBe(200);
    const other = await api.call('POST', `/${id}/secret`, undefined, { 'if-match': etag });
    expect([other.status, other.text]).toEqual([412, CHANGED]);
    // A retry gets the first answer, although the version has changed since.
    const again = await api.call('POST', `/${id}/secret`, undefined, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });
});
