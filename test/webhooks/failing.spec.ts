import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Receiver } from './receiver';
import { openTrialAndReceivers } from './trial-and-receivers';
import { all, type WebhookTrial } from './webhook-trial';
import { querySealed } from '../support/sealed';

let trial: WebhookTrial;
let receiver: Receiver;

openTrialAndReceivers((opened) => ({ trial, receiver } = opened));

const HOUR = 3_600_000;

/** The only delivery, once its first try has failed. */
async function failed() {
  const [row] = await trial.deliveriesThat(([first]) => typeof first?.last_error === 'string' && first.lease === null);
  return row;
}

describe('an attempt at a delivery', () => {
  it.each([
    [500, 'answered 500'],
    [404, 'answered 404'],
    [429, 'answered 429'],
    [301, 'answered 301'],
    [302, 'answered 302'],
    [307, 'answered 307'],
    [304, 'answered 304'],
    [600, 'answered 600'],
  ])('fails with the answer %d, and follows no redirect', async (status, error) => {
    const elsewhere = await Receiver.open();
    receiver.behaviour = (_received, response) => {
      response.writeHead(status, { location: elsewhere.url }).end();
    };
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.work({ delaysMs: [HOUR] });

    expect(await failed()).toMatchObject({ state: 'pending', attempts: 1, last_status: status, last_error: error });
    await trial.stopWorkers();
    expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 0]);
    await elsewhere.close();
  });

  it.each([200, 201, 204, 299])('succeeds with the answer %d', async (status) => {
    receiver.behaviour = () => status;
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.work();
    const [row] = await trial.deliveriesThat(all('delivered'));
    expect(row).toMatchObject({ attempts: 1, last_status: status, last_error: null, lease: null });
  });

  it('fails without an answer in time', async () => {
    receiver.behaviour = () => undefined;
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.work({ delaysMs: [HOUR], timeoutMs: 150 });
    expect(await failed()).toMatchObject({ last_status: null, last_error: 'no answer within 0.15 s' });
  });

  it('fails when the connection is refused', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await trial.subscribe(`http://127.0.0.1:${port}/`);
    await trial.promote('ben');
    await trial.work({ delaysMs: [HOUR] });
    expect(await failed()).toMatchObject({ last_status: null, last_error: expect.stringContaining('ECONNREFUSED') });
  });

  it.each([
    ['a connection that closes without an answer', ''],
    ['an answer that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`],
  ])('fails with %s', async (_, answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await trial.subscribe(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await trial.promote('ben');
    await trial.work({ delaysMs: [HOUR], timeoutMs: 2_000 });
    expect(await failed()).toMatchObject({ state: 'pending', last_status: null, last_error: expect.any(String) });
    await new Promise((resolve) => server.close(resolve));
  });

  it('succeeds with a good status, even if the body after it is endless or broken', async () => {
    const bodies = ['HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a chunk\r\n'];
    let connections = 0;
    const server = createServer((socket) => {
      const endless = connections++ === 0;
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(bodies[endless ? 0 : 1] ?? '');
        const pour = () => void (socket.writable && socket.write('x'.repeat(10_000), () => setImmediate(pour)));
        if (endless) pour();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await trial.subscribe(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await trial.promote('ben', 'ben');
    await trial.work({ timeoutMs: 3_000 });
    const rows = await trial.deliveriesThat(all('delivered'));
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1]);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('after a failed attempt', () => {
  it('the next one follows after the next of the delays, shortened at random by at most half', async () => {
    receiver.behaviour = () => 500;
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    const worker = await trial.work({ delaysMs: [HOUR, 10 * HOUR] });

    for (const hours of [1, 10]) {
      const row = await failed();
      expect(row?.secondsToNext).toBeGreaterThanOrEqual(hours * 1_800 - 1);
      expect(row?.secondsToNext).toBeLessThanOrEqual(hours * 3_600 + 5);
      await trial.dataSource.query('UPDATE webhook_deliveries SET next_attempt_at = now(), last_error = NULL');
      worker.hint();
    }
    expect((await trial.deliveriesThat(all('failed')))[0]).toMatchObject({ attempts: 3, last_status: 500 });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  });

  it.each([
    ['seconds', () => '7200'],
    ['a date', () => new Date(Date.now() + 7_200_000).toUTCString()],
  ])('the next one follows as late as Retry-After demands, given as %s', async (_, retryAfter) => {
    receiver.behaviour = (_received, response) => {
      response.writeHead(503, { 'retry-after': retryAfter() }).end();
    };
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.work({ delaysMs: [HOUR] });
    expect(Math.abs(((await failed())?.secondsToNext ?? 0) - 7_200)).toBeLessThan(10);
  });

  it('there is no other if the delivery is five days old', async () => {
    receiver.behaviour = () => 500;
    await trial.subscribe(receiver.url);
    await trial.promote('ben', 'ben');
    await trial.dataSource.query(`UPDATE webhook_deliveries SET asked_at = now() - interval '5 days'`);
    await trial.work();
    const rows = await trial.deliveriesThat(all('failed'));
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1]);
  });
});

describe('the answer 410 (Gone)', () => {
  it('fails the delivery and disables the webhook, which the journal records, and keeps the queue', async () => {
    receiver.behaviour = () => 410;
    const { id } = await trial.subscribe(receiver.url, ['user.type.changed']);
    await trial.promote('ben', 'ben', 'cyd');
    await trial.work();
    const webhook = async () => {
      const [row] = await trial.dataSource.query('SELECT enabled, disabled_reason FROM webhook_subscriptions');
      return row as { enabled: boolean };
    };
    await trial.deliveriesThat((rows) => rows.some((row) => row.last_status === 410 && row.lease === null));
    await trial.stopWorkers();
    const gone = (await trial.deliveries()).filter((row) => row.last_status === 410);
    for (const row of gone) {
      expect(row).toMatchObject({ state: 'failed', attempts: 1, lease: null, last_error: 'answered 410' });
    }

    expect(await webhook()).toEqual({ enabled: false, disabled_reason: 'gone' });
    const facts = { webhook: id, url: new URL(receiver.url).origin, events: ['user.type.changed'] };
    expect(
      await querySealed(
        trial.dataSource,
        `SELECT actor_kind, actor_id, before, after, reason FROM journal_entries WHERE action = 'webhook.updated'`,
      ),
    ).toEqual([
      {
        actor_kind: 'system',
        actor_id: 'webhooks',
        before: { ...facts, enabled: true },
        after: { ...facts, enabled: false },
        reason: 'The webhook answered 410.',
      },
    ]);
    const asked = receiver.received.length;
    expect(asked).toBe(gone.length);
    expect(asked).toBeLessThanOrEqual(2);

    receiver.behaviour = () => 200;
    await trial.promote('ben');
    await trial.work();
    expect((await trial.deliveries()).every(({ state }) => state !== 'delivered')).toBe(true);
    await trial.enable();
    await trial.deliveriesThat((rows) => rows.every(({ state }) => state === 'delivered' || state === 'failed'));
    expect(receiver.received).toHaveLength(3);
    expect((await trial.deliveries()).filter(({ state }) => state === 'failed')).toEqual(gone);
  });

  it('does not disable a webhook whose URL was changed during the attempt', async () => {
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    receiver.behaviour = (_received, response) => {
      const moved = trial.dataSource.query(`UPDATE webhook_subscriptions SET url = url || '&moved=1'`);
      void moved.then(() => response.writeHead(410).end());
      receiver.behaviour = () => 204;
    };
    await trial.work();
    await trial.deliveriesThat(all('delivered'));
    expect(await trial.dataSource.query('SELECT enabled FROM webhook_subscriptions')).toEqual([{ enabled: true }]);
  });
});
