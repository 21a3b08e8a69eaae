import type { EntityManager } from 'typeorm';
import { type Queryable, Statements } from '@user-administration/postgres';
import { Transactions } from '../../src/database/transactions';
import { Journal } from '../../src/journal/journal';
import { claimDeliveries } from '../../src/plugins/webhooks/claim-deliveries';
import { DeliveryQueue } from '../../src/plugins/webhooks/delivery-queue';
import { sweepDeliveries } from '../../src/plugins/webhooks/sweep-deliveries';
import { Gate } from '../races/gate';
import { describeOnServer } from '../support/describe-on-server';
import { EAGER, WebhookTrial, transactionsOn } from './webhook-trial';

/** Commits only when it is let. */
class HeldTransactions extends Transactions {
  letGo = () => {};
  readonly worked: Promise<void>;
  private work = () => {};
  private readonly gate = new Promise<void>((resolve) => (this.letGo = resolve));

  constructor(trial: WebhookTrial) {
    super(trial.dataSource, new Statements(trial.dataSource));
    this.worked = new Promise((resolve) => (this.work = resolve));
  }

  override call<T>(work: (sender: Queryable) => Promise<T>): Promise<T> {
    return this.run(work);
  }

  override run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return super.run(async (manager) => {
      const result = await work(manager);
      this.work();
      await this.gate;
      return result;
    });
  }
}

describeOnServer('a claim of deliveries', () => {
  let trial: WebhookTrial;
  let transactions: Transactions;
  let webhook: string;

  beforeEach(async () => {
    trial = await WebhookTrial.open();
    transactions = transactionsOn(trial.dataSource);
    webhook = (await trial.subscribe('https://example.com/')).id;
  });
  afterEach(() => trial.close());

  const claim = (by = transactions) => claimDeliveries(by, EAGER, new Map(), '');
  const states = async () => (await trial.deliveries()).map(({ state }) => state);

  /** For a lock. */
  async function somebodyWaits(): Promise<void> {
    for (;;) {
      const [row] = await trial.dataSource.query(
        `SELECT count(*)::integer AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (row.waiting > 0) return;
    }
  }

  /** One in hand, and a second one behind it that nobody has looked at yet. */
  async function oneInHand() {
    await trial.promote('ben');
    const { deliveries } = await claim();
    const [first] = deliveries;
    if (!first) throw new Error('there is nothing to claim');
    await trial.promote('ben');
    return first;
  }

  it('does not wait for a delivery that is being finished, and the next one of that user is not forgotten', async () => {
    const first = await oneInHand();
    const held = new HeldTransactions(trial);
    const ending = new DeliveryQueue(held, new Journal()).record(first, { kind: 'delivered', status: 204 });
    await held.worked;
    expect(await claim()).toEqual({ deliveries: [], more: false, hasWebhooks: true, expanded: null });
    held.letGo();
    await ending;

    expect(await states()).toEqual(['delivered', 'pending']);
    expect((await claim()).deliveries).toHaveLength(1);
  });

  it('makes a delivery that is being finished wait, and the next one of that user is not forgotten', async () => {
    const first = await oneInHand();
    const held = new HeldTransactions(trial);
    const claiming = claim(held);
    await held.worked;
    const ending = new DeliveryQueue(transactions, new Journal()).record(first, { kind: 'delivered', status: 204 });
    await somebodyWaits();
    held.letGo();
    expect(await claiming).toEqual({ deliveries: [], more: true, hasWebhooks: true, expanded: null });
    await ending;

    expect(await states()).toEqual(['delivered', 'pending']);
    expect((await claim()).deliveries).toHaveLength(1);
  });

  it.each([
    ['has ended', `state = 'delivered', lease = NULL, finished_at = now()`],
    ['has ended and is sent again', `lease = NULL, replay = true`],
  ])('makes no delivery wait for an earlier one that %s since the claim began', async (_, outcome) => {
    const first = await oneInHand();
    // The claim stops here after it has taken its snapshot.
    await trial.dataSource.query(`
      CREATE FUNCTION hold() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
        IF current_query() LIKE '%claim_deliveries(%' THEN PERFORM pg_advisory_xact_lock(1); END IF;
        RETURN true;
      END $$;
      ALTER TABLE webhook_subscriptions RENAME TO subscriptions;
      CREATE VIEW webhook_subscriptions AS SELECT * FROM subscriptions WHERE hold()`);
    const gate = await Gate.close(trial.database.url, 'SELECT pg_advisory_xact_lock(1)', []);
    const claiming = claim();
    await gate.waitFor(1);
    await trial.dataSource.query(`UPDATE webhook_deliveries SET ${outcome} WHERE entry_id = $1`, [first.entryId]);
    await gate.open();

    expect(await claiming).toEqual({ deliveries: [], more: false, hasWebhooks: true, expanded: null });
    expect((await states())[1]).toBe('pending');
    expect((await claim()).deliveries).toHaveLength(1);
  });

  it('gives each delivery to only one of two workers that claim at once', async () => {
    await trial.promote(...Array.from({ length: 50 }, (_, index) => `user-${index}`));
    const held = new HeldTransactions(trial);
    const claiming = claim(held);
    await held.worked;
    const others = await claim();
    held.letGo();
    const entries = [...(await claiming).deliveries, ...others.deliveries].map(({ entryId }) => entryId);
    expect(new Set(entries).size).toBe(2 * EAGER.concurrencyPerWebhook);
    expect(entries).toHaveLength(2 * EAGER.concurrencyPerWebhook);
  });

  it.each([
    [5, 3],
    [8, 0],
  ])('takes no more than a webhook has room for: beside %i attempts, %i', async (underWay, room) => {
    expect(EAGER.concurrencyPerWebhook).toBe(underWay + room);
    await trial.promote(...Array.from({ length: 9 }, (_, index) => `user-${index}`));
    const { deliveries } = await claimDeliveries(transactions, EAGER, new Map([[webhook, underWay]]), '');
    expect(deliveries).toHaveLength(room);
  });

  it('is not delayed by the removal of old deliveries, nor delays it', async () => {
    const entries = await trial.promote('ben', 'cyd');
    await trial.dataSource.query(
      `UPDATE webhook_deliveries SET state = 'delivered', finished_at = now() - interval '31 days'`,
    );
    const gate = await Gate.close(trial.database.url, 'SELECT FROM webhook_deliveries WHERE entry_id = $1 FOR UPDATE', [
      entries[0],
    ]);
    expect(await sweepDeliveries(transactions).finally(() => gate.open())).toBe(false);
    expect((await trial.deliveries()).map(({ entry }) => entry)).toEqual([entries[0]]);
  });
});
