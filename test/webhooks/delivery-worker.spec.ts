import { Journal } from '../../src/journal/journal';
import { claimDeliveries, type ClaimedDelivery } from '../../src/plugins/webhooks/claim-deliveries';
import { DeliveryQueue } from '../../src/plugins/webhooks/delivery-queue';
import { sweepDeliveries } from '../../src/plugins/webhooks/sweep-deliveries';
import { eventually } from '../support/eventually';
import type { Receiver } from './receiver';
import { openTrialAndReceivers } from './trial-and-receivers';
import { all, EAGER, transactionsOn, type WebhookTrial } from './webhook-trial';

let trial: WebhookTrial;
let receiver: Receiver;

openTrialAndReceivers((opened) => ({ trial, receiver } = opened));

describe('a worker that is stopped', () => {
  it('finishes its attempts, and begins no others', async () => {
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

  it('gives up an attempt that takes too long, as if it had never been made', async () => {
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

describe('the lease of a delivery', () => {
  it('expires, so that another worker delivers, and the result of the first attempt is ignored', async () => {
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    const transactions = transactionsOn(trial.dataSource);
    const { deliveries } = await claimDeliveries(transactions, { ...EAGER, leaseMs: 100 }, new Map(), '');
    await trial.work();
    const delivered = await trial.deliveriesThat(all('delivered'));
    const late = { kind: 'failed', status: 500, error: 'answered 500', delayMs: 0 } as const;
    await new DeliveryQueue(transactions, new Journal()).record(deliveries[0] as ClaimedDelivery, late);
    expect(await trial.deliveries()).toEqual(delivered);
    expect(delivered).toEqual([expect.objectContaining({ attempts: 2, last_status: 204, last_error: null })]);
  });

  it('must last for a whole attempt, measured from before the claim: otherwise none is made', async () => {
    await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.work({ leaseMs: 1_000, timeoutMs: 1_000 });
    const claimed = () =>
      trial.dataSource.query<unknown[]>('SELECT FROM webhook_deliveries WHERE last_attempt_at IS NOT NULL');
    await eventually(async () => expect(await claimed()).toHaveLength(1));
    await trial.stopWorkers();
    expect(receiver.received).toEqual([]);
    expect(await trial.deliveries()).toEqual([expect.objectContaining({ state: 'pending', attempts: 0, lease: null })]);
  });
});

describe('a finished delivery', () => {
  it('is kept for thirty days, or until its webhook is deleted', async () => {
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

  it('is removed with a thousand others at a time, and the rest at once afterwards', async () => {
    const { id } = await trial.subscribe(receiver.url);
    await trial.dataSource.query(
      `INSERT INTO webhook_deliveries (subscription_id, entry_id, change_position, subject, state, finished_at)
       SELECT $1, n, n, 'ben', 'delivered', now() - interval '31 days' FROM generate_series(1, 1001) AS n`,
      [id],
    );
    const sweep = () => sweepDeliveries(transactionsOn(trial.dataSource));
    expect([await sweep(), (await trial.deliveries()).length]).toEqual([true, 1]);
    expect([await sweep(), (await trial.deliveries()).length]).toEqual([false, 0]);
  });

  it('is still removed after the clock was ahead for a while', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2060));
    const orphan = () =>
      trial.dataSource.query(
        `INSERT INTO webhook_deliveries (subscription_id, entry_id, change_position, subject) VALUES ('gone', 1, 1, 'ben')`,
      );
    await orphan();
    await trial.work({ sweepMs: 10 });
    await trial.deliveriesThat(({ length }) => length === 0);
    clock.mockRestore();
    await orphan();
    expect(await trial.deliveriesThat(({ length }) => length === 0)).toEqual([]);
  });
});

describe('a worker that loses the database', () => {
  it('records the attempt that it was making once the database is back, and continues', async () => {
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
