import { webcrypto } from 'node:crypto';
import { makeSecret, signatures } from '../../src/plugins/webhooks/signature';
import { Receiver } from './receiver';
import { all, WebhookTrial } from './webhook-trial';

/** A receiver's side of Standard Webhooks 1.0, by the text of the specification, with another implementation of HMAC. */
async function verifies(secret: string, headers: Record<string, unknown>, body: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  const signed = encoder.encode(
    [headers['webhook-id'], headers['webhook-timestamp'], body].map((part) => String(part)).join('.'),
  );
  for (const versioned of String(headers['webhook-signature']).split(' ')) {
    const [version, signature = ''] = versioned.split(',');
    const given = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
    if (version === 'v1' && (await webcrypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
}

describe('the secret of a webhook', () => {
  it('has the form of Standard Webhooks, and is different each time', () => {
    const secrets = Array.from({ length: 50 }, makeSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
      const { length } = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(length).toBeGreaterThanOrEqual(24);
      expect(length).toBeLessThanOrEqual(64);
    }
  });
});

describe('the signature of a delivery', () => {
  const message = { id: 'msg_1', timestamp: 1_674_087_231, body: '{"type":"user.type.changed","data":"é"}' };
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1674087231' };

  it('can be verified as Standard Webhooks specifies, and not with another secret, body, id or time', async () => {
    const secret = makeSecret();
    const signed = { ...headers, 'webhook-signature': signatures([secret], message) };
    expect(await verifies(secret, signed, message.body)).toBe(true);
    expect(await verifies(makeSecret(), signed, message.body)).toBe(false);
    expect(await verifies(secret, signed, message.body + ' ')).toBe(false);
    expect(await verifies(secret, { ...signed, 'webhook-id': 'msg_2' }, message.body)).toBe(false);
    expect(await verifies(secret, { ...signed, 'webhook-timestamp': '1674087232' }, message.body)).toBe(false);
  });

  it('has one part for each secret, separated by spaces', async () => {
    const secrets = [makeSecret(), makeSecret()];
    const signed = { ...headers, 'webhook-signature': signatures(secrets, message) };
    expect(signed['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const secret of secrets) expect(await verifies(secret, signed, message.body)).toBe(true);
  });
});

describe('a delivery', () => {
  let trial: WebhookTrial;
  let receiver: Receiver;

  beforeAll(async () => {
    trial = await WebhookTrial.open();
    receiver = await Receiver.open();
  });
  afterAll(async () => {
    await trial.close();
    await receiver.close();
  });
  afterEach(async () => {
    await trial.clear();
    receiver.received.splice(0);
  });

  it('is signed anew for each attempt, with the same id, the time of the attempt and the bytes of the body', async () => {
    const { secret } = await trial.subscribe(receiver.url);
    await trial.append({ action: 'user.type.changed', user: 'zoë\u{1F600}', after: { type: 'member' } });
    receiver.behaviour = () => {
      receiver.behaviour = () => 204;
      return 500;
    };
    await trial.work();
    await trial.deliveriesThat(all('delivered'));

    expect(receiver.received).toHaveLength(2);
    for (const { headers, text } of receiver.received) {
      expect(await verifies(secret, headers, text)).toBe(true);
      expect(headers['webhook-timestamp']).toMatch(/^\d+$/);
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
      expect(headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
    }
  });

  it('is also signed with the previous secret until that expires', async () => {
    const { secret: old, id } = await trial.subscribe(receiver.url);
    const secret = makeSecret();
    const rotate = (expiry: string) =>
      trial.dataSource.query(
        `UPDATE webhook_subscriptions SET secret = $2, previous_secret = $3, previous_secret_expires_at = now() + $4::interval
         WHERE id = $1`,
        [id, secret, old, expiry],
      );
    await rotate('1 hour');
    await trial.promote('ben');
    await trial.work();
    await trial.deliveriesThat(all('delivered'));
    await rotate('-1 second');
    await trial.promote('ben');
    await trial.deliveriesThat((rows) => rows.length === 2 && all('delivered')(rows));

    const verdicts = receiver.received.map(({ headers, text }) =>
      Promise.all([verifies(secret, headers, text), verifies(old, headers, text)]),
    );
    expect(await Promise.all(verdicts)).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});
