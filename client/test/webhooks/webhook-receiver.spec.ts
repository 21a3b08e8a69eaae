import { once } from 'node:events';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import type { JournalFacts } from '../../../src/contract/journal';
import type { FileFacts } from '../../../src/plugins/transfer/actions';
import { makeSecret, signatures } from '../../../src/plugins/webhooks/signature';
import { openApiFile } from '../../../test/support/declared-answers';
import type { JournalEntry } from '../../src/operations/journal.ts';
import type { EventFacts } from '../../src/webhooks/event-facts.ts';
import { signWebhook } from '../../src/webhooks/sign-webhook.ts';
import type { WebhookEvent } from '../../src/webhooks/webhook-event.ts';
import { WebhookReceiver } from '../../src/webhooks/webhook-receiver.ts';
import { readSecret, signatureOf } from '../../src/webhooks/webhook-secret.ts';
import { UserAdministrationError } from '../../src/user-administration-error.ts';

const DAY_MS = 86_400_000;
const secret = makeSecret();
const deactivation = { type: 'user.status.changed', user: 'ben', after: { status: 'inactive' } } as const;

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UserAdministrationError && error.code === 'client.webhook_refused') return error.detail;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('a receiver of webhooks', () => {
  const receiver = new WebhookReceiver({ secrets: secret });

  it('accepts what the service signs', () => {
    const { headers, body } = signWebhook(secret, deactivation);
    const id = headers['webhook-id'] ?? '';
    const timestamp = Number(headers['webhook-timestamp']);
    const theirs = signatures([makeSecret(), secret], { id, timestamp, body });
    const event = receiver.verify(Buffer.from(body), { ...headers, 'webhook-signature': theirs });
    expect(event).toMatchObject({
      type: 'user.status.changed',
      subject: 'ben',
      data: { after: { status: 'inactive' } },
    });
    expect(headers['webhook-signature']).toBe(signatures([secret], { id, timestamp, body }));
  });

  it('takes the body as text, and the headers of fetch', () => {
    const { headers, body } = signWebhook(secret, { ...deactivation, reason: 'Überfällig ✓' });
    expect(receiver.verify(body, new Headers(headers)).data.reason).toBe('Überfällig ✓');
  });

  it('accepts both secrets during a rotation', () => {
    const next = makeSecret();
    const both = new WebhookReceiver({ secrets: [secret, next] });
    for (const one of [secret, next]) {
      const { headers, body } = signWebhook(one, deactivation);
      expect(both.verify(body, headers).type).toBe('user.status.changed');
    }
  });

  it.each<[string, (signed: { headers: Record<string, string>; body: string }) => void, string]>([
    ['a changed body', (it) => (it.body = it.body.replace('inactive', 'active')), 'no signature matches'],
    ['another id', (it) => (it.headers['webhook-id'] = 'msg_other'), 'no signature matches'],
    [
      'another time',
      (it) => (it.headers['webhook-timestamp'] = String(Math.floor(Date.now() / 1000) - 7)),
      'no signature matches',
    ],
    [
      'another version of signatures',
      (it) => (it.headers['webhook-signature'] = `v2,${it.headers['webhook-signature']?.slice(3)}`),
      'no signature matches',
    ],
    [
      'a signature that is none',
      (it) => (it.headers['webhook-signature'] = 'v1, v1,AAAA nonsense'),
      'no signature matches',
    ],
    ['no signature', (it) => delete it.headers['webhook-signature'], 'the header webhook-signature is missing'],
    ['no id', (it) => delete it.headers['webhook-id'], 'the header webhook-id is missing'],
    [
      'a time that is none',
      (it) => (it.headers['webhook-timestamp'] = '1e9'),
      'webhook-timestamp is not a number of seconds',
    ],
  ])('refuses %s', (_, spoil, reason) => {
    const signed = signWebhook(secret, deactivation);
    spoil(signed);
    expect(refusalOf(() => receiver.verify(signed.body, signed.headers))).toContain(reason);
  });

  it.each([
    [-301_000, 'it is 301 s old, according to the clock of this machine'],
    [301_000, 'it is 301 s in the future, according to the clock of this machine'],
  ])('refuses what was sent %i ms from now, and says what the clock says', (ms, reason) => {
    jest.useFakeTimers({ now: 1_900_000_000_000, doNotFake: ['performance'] });
    const { headers, body } = signWebhook(secret, { ...deactivation, sentAt: new Date(Date.now() + ms) });
    expect(refusalOf(() => receiver.verify(body, headers))).toContain(reason);
    jest.useRealTimers();
  });

  it('refuses a body that was parsed', () => {
    const { headers, body } = signWebhook(secret, deactivation);
    expect(refusalOf(() => receiver.verify(JSON.parse(body) as string, headers))).toContain('before it is parsed');
  });

  it('refuses a signed body that is not an event', () => {
    const bodies = [
      '{"id":"m"}',
      '[]',
      'nonsense',
      '{"id":"other","type":"a","data":{}}',
      '{"id":"m","type":"a","data":[]}',
    ];
    for (const body of bodies) {
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        'webhook-id': 'm',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatures([secret], { id: 'm', timestamp, body }),
      };
      expect(refusalOf(() => receiver.verify(body, headers))).toContain('the body is not an event');
    }
  });

  it('refuses a signed event in bytes that are no UTF-8', () => {
    const { headers, body: text } = signWebhook(secret, { ...deactivation, reason: 'überfällig' });
    const body = Buffer.from(text, 'latin1');
    const signed = { id: String(headers['webhook-id']), timestamp: String(headers['webhook-timestamp']), body };
    const signature = `v1,${signatureOf(readSecret(secret), signed).toString('base64')}`;
    const spoilt = { ...headers, 'webhook-signature': signature };
    expect(refusalOf(() => receiver.verify(body, spoilt))).toContain('the body is not an event');
  });

  it.each(['', 'secret', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(90)}`])(
    'cannot be made with the secret %j',
    (wrong) => {
      expect(() => new WebhookReceiver({ secrets: [wrong] })).toThrow(/whsec_ and 24 to 64 bytes in base64/);
      expect(() => new WebhookReceiver({ secrets: [] })).toThrow(/At least one secret/);
    },
  );

  it.each([NaN, 0, -1, Infinity])('cannot be made with a tolerance of %d', (toleranceMs) => {
    expect(() => new WebhookReceiver({ secrets: secret, toleranceMs })).toThrow(
      expect.objectContaining({ code: 'client.option_invalid' }),
    );
  });

  it('is not printed with its secret', () => {
    expect(inspect(receiver, { depth: 9 })).not.toContain('Buffer');
  });

  it('cannot be made with a secret that is not set', () => {
    const unset = { secrets: undefined as unknown as string };
    expect(() => new WebhookReceiver(unset)).toThrow(expect.objectContaining({ code: 'client.option_invalid' }));
  });
});

describe('a delivery', () => {
  const { headers, body } = signWebhook(secret, deactivation);

  it('is handled once, even if it arrives several times', async () => {
    const receiver = new WebhookReceiver({ secrets: secret });
    const handle = jest.fn<undefined, [WebhookEvent]>();
    expect(await receiver.receive(body, headers, handle)).toBe('handled');
    expect(await receiver.receive(body, headers, handle)).toBe('repeated');
    expect(handle).toHaveBeenCalledTimes(1);
  });

  it('is not handled a second time while its handling is running', async () => {
    const receiver = new WebhookReceiver({ secrets: secret });
    let finish: () => void = () => undefined;
    const first = receiver.receive(body, headers, () => new Promise<void>((resolve) => (finish = resolve)));
    expect(await receiver.receive(body, headers, () => undefined)).toBe('running');
    finish();
    expect(await first).toBe('handled');
  });

  it('is handled again when its handling failed', async () => {
    const receiver = new WebhookReceiver({ secrets: secret });
    const broken = () => Promise.reject(new Error('no disk'));
    await expect(receiver.receive(body, headers, broken)).rejects.toThrow('no disk');
    expect(await receiver.receive(body, headers, () => undefined)).toBe('handled');
  });

  it('is remembered as long as the service may send it again, with a new time stamp each time', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const receiver = new WebhookReceiver({ secrets: secret });
    await receiver.receive(body, headers, () => undefined);
    clock.mockReturnValue(7 * DAY_MS - 1);
    expect(await receiver.receive(body, headers, () => undefined)).toBe('repeated');
    clock.mockReturnValue(7 * DAY_MS);
    expect(await receiver.receive(body, headers, () => undefined)).toBe('handled');
    clock.mockRestore();
  });

  it('is forgotten earlier after 100,000 others, but not while its signature is accepted', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const receiver = new WebhookReceiver({ secrets: secret });
    const handle = (n: number) => receiver.handleOnce({ id: `msg_${n}` } as WebhookEvent, () => undefined);
    for (let n = 0; n <= 100_000; n++) await handle(n);
    clock.mockReturnValue(600_999);
    expect(await handle(0)).toBe('repeated');
    clock.mockReturnValue(601_000);
    expect([await handle(1), await handle(0)]).toEqual(['repeated', 'handled']);
    clock.mockRestore();
  });
});

describe('a body that arrives', () => {
  const { headers, body } = signWebhook(secret, deactivation);
  const MIB = 1024 * 1024;

  /** A body that sends so much, and then nothing more until it is released. */
  function sending(bytes: number) {
    let hasArrived = () => {};
    let release = () => {};
    const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    async function* stream() {
      for (let sent = 0; sent < bytes; sent += MIB) yield Buffer.alloc(MIB);
      hasArrived();
      await released;
    }
    return { stream: stream(), arrived, release };
  }

  it.each<[string, AsyncIterable<Uint8Array>]>([
    ['a stream of Node', Readable.from([Buffer.from(body.slice(0, 9)), Buffer.from(body.slice(9))])],
    ['the body of fetch', new Blob([body]).stream()],
  ])('can be %s', async (_, stream) => {
    const receiver = new WebhookReceiver({ secrets: secret });
    expect(await receiver.receive(stream, headers, () => undefined)).toBe('handled');
  });

  it('is not read if its headers are not those of a delivery', async () => {
    const stream = Readable.from([Buffer.from(body)]);
    const receiver = new WebhookReceiver({ secrets: secret });
    const old = { ...headers, 'webhook-timestamp': '1000000000' };
    await expect(receiver.read(stream, old)).rejects.toMatchObject({ code: 'client.webhook_refused' });
    expect(stream.readableDidRead).toBe(false);
  });

  it('is refused if it is too large, and discarded to its end, so that its sender reads the answer', async () => {
    const receiver = new WebhookReceiver({ secrets: secret });
    const stream = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(MIB)));
    await expect(receiver.read(stream, headers)).rejects.toMatchObject({ code: 'client.webhook_too_large' });
    await once(stream, 'end');
  });

  it('is refused while 32 MiB of others are held, and accepted when they have gone', async () => {
    const receiver = new WebhookReceiver({ secrets: secret });
    const held = [sending(15 * MIB), sending(15 * MIB)];
    const readings = held.map(({ stream }) => receiver.read(stream, headers));
    await Promise.all(held.map(({ arrived }) => arrived));
    const busy = { code: 'client.webhook_busy', temporary: true };
    await expect(receiver.read(sending(3 * MIB).stream, headers)).rejects.toMatchObject(busy);
    // A small one still fits.
    expect(await receiver.receive(Readable.from([Buffer.from(body)]), headers, () => undefined)).toBe('handled');
    held.forEach(({ release }) => release());
    const refusals = readings.map((one) => expect(one).rejects.toMatchObject({ code: 'client.webhook_refused' }));
    await Promise.all(refusals);
    const last = sending(15 * MIB);
    last.release();
    await expect(receiver.read(last.stream, headers)).rejects.toMatchObject({ code: 'client.webhook_refused' });
  });
});

/** As JSON is read: its lists can be changed. */
type Read<Facts> = Facts extends readonly (infer One)[]
  ? One[]
  : Facts extends object
    ? { [Name in keyof Facts]: Read<Facts[Name]> }
    : Facts;
/** Of the service, and of its plugins whose actions are events. */
type ServiceFacts = JournalFacts & FileFacts;
type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;

describe('the facts of each event', () => {
  it('are those that the service writes', () => {
    // The compiler decides.
    const areSame: Same<EventFacts, Read<ServiceFacts>> = true;
    expect(areSame).toBe(true);
  });

  it('are null where an event has no such state, and nowhere else', () => {
    type NullOf<Side extends 'before' | 'after', Type extends keyof ServiceFacts> = WebhookEvent<Type>['data'][Side];
    // The compiler decides.
    const areTyped: [
      Same<NullOf<'before', 'user.created'>, null>,
      Same<NullOf<'after', 'user.deleted'>, null>,
      Same<NullOf<'after', 'user.status.changed'>, EventFacts['user.status.changed']>,
      Same<JournalEntry<'user.created'>['before'], null>,
    ] = [true, true, true, true];
    expect(areTyped).toHaveLength(4);
    const entry = { action: 'user.status.changed', after: { status: 'inactive' } } as JournalEntry;
    const status: 'active' | 'inactive' | undefined =
      entry.action === 'user.status.changed' ? entry.after.status : undefined;
    expect(status).toBe('inactive');
  });

  it.each(Object.entries(openApiFile.webhooks))('agree with what the service says of %s', (type, { post }) => {
    const [, before, after] = /`"before": (.*?), "after": (.*)`/.exec(post.description) ?? [];
    const isAlone = /\.created$|s\.assigned$|\.minted$|\.imported$|\.erased$/.test(type);
    const isOver = /\.deleted$|\.unassigned$|\.erased$/.test(type);
    expect([type, before === 'null', after === 'null']).toEqual([type, isAlone, isOver]);
  });
});
