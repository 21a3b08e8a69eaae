import { type Answer } from '../support/ask';
import { allDelivered, WebhookApi } from './webhook-api';

const api = WebhookApi.forEachTest();

describe('/api/webhooks refuses', () => {
  const URL_INVALID =
    '400 {"status":400,"message":"Please give the address of the webhook as an https URL on a public host."}';
  const EVENTS_INVALID = '400 {"status":400,"message":"Please select at least one valid event."}';
  const ENABLED_INVALID = '400 {"status":400,"message":"Please give a valid value for enabled."}';
  const MALFORMED =
    '400 {"status":400,"message":"This request could not be read. Please check its format and try again."}';
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
  ])('to register the URL %p', async (url) => {
    expect(said(await api.call('POST', '', { url, events: ['user.type.changed'] }))).toBe(URL_INVALID);
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
  ])('to register for the events %j', async (events) => {
    expect(said(await api.call('POST', '', { url: api.receiver.url, events }))).toBe(EVENTS_INVALID);
  });

  it.each(['yes', 'true', 1, 0, '', [], {}])('to register with enabled: %j', async (enabled) => {
    const body = { url: api.receiver.url, events: ['user.type.changed'], enabled };
    expect(said(await api.call('POST', '', body))).toBe(ENABLED_INVALID);
  });

  const KEY = Buffer.alloc(32, 7).toString('base64');
  it.each<[string, unknown]>([
    ['contentType', 'application/xml'],
    ['contentType', 'application/json; charset=utf-8'],
    ['contentType', ''],
    ['contentType', ['application/json']],
    ['secret', ''],
    ['secret', 7],
    ['secret', KEY],
    ['secret', `whsec_${KEY} `],
    ['secret', `whsec_${KEY.replace('=', '')}`],
    ['secret', `WHSEC_${KEY}`],
    ['secret', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['secret', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['secret', `whsec_${Buffer.alloc(32, 255).toString('base64url')}`],
  ])('to register with %s: %j', async (field, value) => {
    const body = { url: api.receiver.url, events: ['user.type.changed'], [field]: value };
    expect(said(await api.call('POST', '', body))).toBe(ENABLED_INVALID.replace('enabled', field));
    expect(await api.done('GET', '')).toEqual({ webhooks: [] });
  });

  it('an invalid change, and changes nothing', async () => {
    const { secret, ...webhook } = await api.create();
    expect(secret).toBeDefined();
    expect(said(await api.call('PATCH', `/${webhook.id}`, { url: 'http://' }))).toBe(URL_INVALID);
    expect(said(await api.call('PATCH', `/${webhook.id}`, { events: [] }))).toBe(EVENTS_INVALID);
    for (const enabled of ['yes', 'true', 1, [], {}])
      expect(said(await api.call('PATCH', `/${webhook.id}`, { enabled }))).toBe(ENABLED_INVALID);
    const contentType = await api.call('PATCH', `/${webhook.id}`, { contentType: 'text/plain' });
    expect(said(contentType)).toBe(ENABLED_INVALID.replace('enabled', 'contentType'));
    expect((await api.call('PATCH', `/${webhook.id}`, { url: 'https://example.com', events: ['x'] })).status).toBe(400);
    expect(await api.done('GET', `/${webhook.id}`)).toEqual(webhook);
  });

  it.each([undefined, [], [{ enabled: false }], 'disable', null])('the change %j, which is no object', async (body) => {
    const { id } = await api.create();
    expect(said(await api.call('PATCH', `/${id}`, body))).toBe(MALFORMED);
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
      expect(said(await api.call(method, `/${id}${path}`, body))).toBe(UNKNOWN);
    }
  });

  it('the id of an unknown delivery, and of a delivery of another webhook', async () => {
    const webhook = await api.create();
    const other = await api.create(['user.created']);
    await api.toggle('max');
    const [delivery] = await api.deliveriesOf(webhook, allDelivered(1));
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
        expect(said(await api.call(method, `/${webhook.id}/deliveries/${id}${path}`))).toBe(
          '404 {"status":404,"message":"There is no such delivery."}',
        );
      }
    }
    expect((await api.call('GET', `/${other.id}/deliveries/msg_${other.id}_${entry}`)).status).toBe(404);
  });

  it('the cursor of another webhook', async () => {
    const [one, other] = [await api.create(), await api.create()];
    const said = async (cursor: string) => {
      const { status, text } = await api.call('GET', `/${one.id}/deliveries?cursor=${cursor}`);
      return `${status} ${text}`;
    };
    expect(await said(`msg_${one.id}_7`)).toBe('200 {"deliveries":[],"next":null}');
    expect(await said(`msg_${other.id}_7`)).toBe(
      '400 {"status":400,"message":"Please give a valid value for the query parameter cursor."}',
    );
  });
});
