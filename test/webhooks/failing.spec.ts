import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Receiver } from './receiver';
import { all, WebhookTrial } from './webhook-trial';

let trial: WebhookTrial;
let receiver: Receiver;

beforeAll(async () => {
  trial = await WebhookTrial.open();
});
afterAll(() => trial.close());
beforeEach(async () => {
  receiver = await Receiver.open();
});
afterEach(async () => {
  await trial.clear();
  await receiver.close();
});

const HOUR = 3_600_000;

/** The only delivery, once its first try has failed. */
async function failed() {
  const [row] = await trial.deliveriesThat(([first]) => typeof first?.last_error === 'string' && first.lease === null);
  return row;
}

describe('a try fails by', () => {
  it.each([
    [500, 'answered 500'],
    [404, 'answered 404'],
    [429, 'answered 429'],
    [301, 'answered 301'],
    [302, 'answered 302'],
    [307, 'answered 307'],
    [304, 'answered 304'],
    [600, 'answered 600'],
  ])('an answer of %d', async (status, error) => {
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

  it.each([200, 201, 204, 299])('anything but an answer such as %d', async (status) => {
    receiver.behaviour = () => status;
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.work();
    const [row] = await trial.deliveriesThat(all('delivered'));
    expect(row).toMatchObject({ attempts: 1, last_status: status, last_error: null, lease: null });
  });

  it('silence', async () => {
    receiver.behaviour = () => undefined;
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.work({ delaysMs: [HOUR], timeoutMs: 150 });
    expect(await failed()).toMatchObject({ last_status: null, last_error: 'no answer within 0.15 s' });
  });

  it('a connection that is refused', async () => {
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
    ['a hang-up', ''],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['headers without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`],
  ])('%s', async (_, answer) => {
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

  it('nothing that comes after the answer: not a body without an end, nor a broken one', async () => {
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

describe('after a failure', () => {
  it('the next try is at the next of the delays, less up to half of it', async () => {
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
  ])('the next try is as late as the receiver asks for, in %s', async (_, retryAfter) => {
    receiver.behaviour = (_received, response) => {
      response.writeHead(503, { 'retry-after': retryAfter() }).end();
    };
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.work({ delaysMs: [HOUR] });
    expect(Math.abs(((await failed())?.secondsToNext ?? 0) - 7_200)).toBeLessThan(10);
  });

  it('of one that is too old, there is no other try', async () => {
    receiver.behaviour = () => 500;
    await trial.subscribe(receiver.url);
    await trial.promote('ben', 'ben');
    await trial.dataSource.query(`UPDATE webhook_deliveries SET asked_at = now() - interval '5 days'`);
    await trial.work();
    const rows = await trial.deliveriesThat(all('failed'));
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1]);
  });
});

describe('410', () => {
  it('fails the delivery, disables the webhook, writes to the journal, and keeps the queue', async () => {
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
    const facts = { webhook: id, url: receiver.url, events: ['user.type.changed'] };
    expect(
      await trial.dataSource.query(
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
    await trial.dataSource.query('UPDATE webhook_subscriptions SET enabled = true, disabled_reason = NULL');
    await trial.deliveriesThat((rows) => rows.every(({ state }) => state === 'delivered' || state === 'failed'));
    expect(receiver.received).toHaveLength(3);
    expect((await trial.deliveries()).filter(({ state }) => state === 'failed')).toEqual(gone);
  });

  it('of an address that has been changed meanwhile does not', async () => {
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

describe('a stopping worker', () => {
  it('lets tries come to their end, and takes nothing new', async () => {
    await trial.subscribe(receiver.url);
    await trial.promote('ben', 'ben');
    let finish = () => {};
    receiver.behaviour = (_received, response) => {
      finish = () => response.writeHead(204).end();
    };
    await trial.work();
    await receiver.got(1);
    const stopped = trial.stopWorkers();
    finish();
    await stopped;
    expect((await trial.deliveries()).map(({ state }) => state)).toEqual([
      'delivered',
      expect.stringMatching(/pending|waiting/),
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  it('releases an attempt that takes too long, as if it had never been made', async () => {
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    receiver.behaviour = () => undefined;
    await trial.work({ stopMs: 0 });
    await receiver.got(1);
    await trial.stopWorkers();
    expect(await trial.deliveries()).toEqual([
      expect.objectContaining({ state: 'pending', attempts: 0, lease: null, last_error: null }),
    ]);

    receiver.behaviour = () => 204;
    await trial.work();
    await trial.deliveriesThat(all('delivered'));
  });
});

describe('a lease', () => {
  it('that expires gives the delivery to the next claim, and the result of the first attempt is ignored', async () => {
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    let late = () => {};
    receiver.behaviour = (_received, response) => {
      late = () => response.writeHead(500).end();
      receiver.behaviour = () => 204;
    };
    await trial.work({ leaseMs: 100 });
    await receiver.got(1);
    await trial.work();
    const delivered = await trial.deliveriesThat(all('delivered'));
    late();
    await trial.stopWorkers();
    expect(await trial.deliveries()).toEqual(delivered);
    expect(delivered).toEqual([expect.objectContaining({ attempts: 2, last_status: 204, last_error: null })]);
  });
});

describe('a finished delivery', () => {
  it('is kept for thirty days, and goes with its webhook', async () => {
    const { id: kept } = await trial.subscribe(receiver.url);
    const { id: removed } = await trial.subscribe(receiver.url);
    const [old, recent] = await trial.promote('ben', 'cyd');
    await trial.work({ sweepMs: 10 });
    await trial.deliveriesThat((rows) => rows.length === 4 && all('delivered')(rows));
    await trial.dataSource.query(
      `UPDATE webhook_deliveries SET finished_at = now() - interval '30 days 1 minute' WHERE entry_id = $1`,
      [old],
    );
    await trial.dataSource.query('DELETE FROM webhook_subscriptions WHERE id = $1', [removed]);
    const rows = await trial.deliveriesThat(({ length }) => length <= 1);
    expect(rows.map(({ entry }) => entry)).toEqual([recent]);
    const [{ subscription_id: of }] = await trial.dataSource.query('SELECT subscription_id FROM webhook_deliveries');
    expect(of).toBe(kept);
  });

  it('is removed although the clock was ahead for a while', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2060));
    const orphan = () =>
      trial.dataSource.query(
        `INSERT INTO webhook_deliveries (subscription_id, entry_id, moment, subject) VALUES ('gone', 1, 1, 'ben')`,
      );
    await orphan();
    await trial.work({ sweepMs: 10 });
    await trial.deliveriesThat(({ length }) => length === 0);
    clock.mockRestore();
    await orphan();
    expect(await trial.deliveriesThat(({ length }) => length === 0)).toEqual([]);
  });
});

describe('without a database', () => {
  it('a worker continues when it is back, and records the results of the attempts in between', async () => {
    await trial.subscribe(receiver.url);
    await trial.promote('ben', 'ben');
    let answer = () => {};
    receiver.behaviour = (_received, response) => {
      answer = () => response.writeHead(204).end();
      receiver.behaviour = () => 204;
    };
    await trial.work();
    await receiver.got(1);
    await trial.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    answer();
    const rows = await trial.deliveriesThat(all('delivered'));
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1]);
  });
});
