import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { declaredEvents } from '../../src/contract/plugin-actions';
import type { WebhookDeliveryState } from '../../src/plugins/webhooks/webhook-types';
import { createDataSource, migrate } from '../support/whole-schema';
import { type OpenedDatabase, Statements } from '@user-administration/postgres';
import { Transactions } from '../../src/database/transactions';
import type { NewEntry } from '../../src/journal/new-entry';
import { Journal } from '../../src/journal/journal';
import { openTestDatabase } from '../support/test-database';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../src/plugins/webhooks/delivery-policy';
import { DeliveryQueue } from '../../src/plugins/webhooks/delivery-queue';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { Destinations } from '../../src/plugins/webhooks/destinations';
import { makeSecret } from '../../src/plugins/webhooks/signature';
import { WebhookSubscription } from '../../src/plugins/webhooks/webhook-subscription.entity';
import { WebhookSender } from '../../src/plugins/webhooks/webhook-sender';
import { asJudged } from '../support/as-judged';
import { querySealed } from '../support/sealed';

/** As a test needs it: it looks often, and waits for nothing after a failure unless told. */
export const EAGER: DeliveryPolicy = { ...DELIVERY_POLICY, pollMs: 20, delaysMs: [0, 0, 0, 0, 0], timeoutMs: 5_000 };

export interface Subscription {
  id: string;
  secret: string;
}

/** A database with a journal, and workers that deliver from it, each with connections of its own. */
export class WebhookTrial {
  private readonly workers: { worker: DeliveryWorker; dataSource: DataSource }[] = [];

  private constructor(
    readonly database: OpenedDatabase,
    readonly dataSource: DataSource,
  ) {}

  static async open(): Promise<WebhookTrial> {
    const database = await openTestDatabase();
    const dataSource = await createDataSource(database, [WebhookSubscription]).initialize();
    await migrate(dataSource);
    return new WebhookTrial(database, dataSource);
  }

  /** Forgets all webhooks and deliveries, and stops all workers. Entries stay, as they must. */
  async clear(): Promise<void> {
    await this.stopWorkers();
    await this.dataSource.query('DELETE FROM webhook_subscriptions');
    await this.dataSource.query('DELETE FROM webhook_deliveries');
  }

  async subscribe(url: string, events: readonly string[] = declaredEvents()): Promise<Subscription> {
    const subscription = { id: uuidv7(), secret: makeSecret() };
    await querySealed(
      this.dataSource,
      `WITH webhook AS (INSERT INTO webhook_subscriptions (id, url, events, secret) VALUES ($1, $2, $3, $4) RETURNING id)
       INSERT INTO webhook_positions SELECT $1, position FROM journal_head`,
      [subscription.id, url, events, subscription.secret],
    );
    return subscription;
  }

  /** Enables the webhooks, which are owed nothing of what happened before. */
  async enable(): Promise<void> {
    await querySealed(
      this.dataSource,
      `
      WITH enabled AS (UPDATE webhook_subscriptions SET enabled = true, disabled_reason = NULL)
      UPDATE webhook_positions SET position = (SELECT position FROM journal_head)`,
    );
  }

  /** Somebody changes the type of each of these users, in one transaction. */
  async promote(...users: string[]): Promise<string[]> {
    return this.append(
      ...users.map((user): NewEntry => ({
        action: 'user.type.changed',
        user,
        before: { type: 'guest' },
        after: { type: 'member' },
      })),
    );
  }

  /** Makes the deliveries of these entries as well. @returns the ids of the entries, in their order */
  async append(...entries: NewEntry[]): Promise<string[]> {
    const act = { actor: { kind: 'user', id: 'ada' }, requestId: 'request-1' } as const;
    await transactionsOn(this.dataSource).run((manager) => new Journal().append(manager, asJudged(act), entries));
    const rows: { id: string }[] = await querySealed(
      this.dataSource,
      'SELECT id FROM journal_entries ORDER BY id DESC LIMIT $1',
      [entries.length],
    );
    for (let expanded: string | null = ''; expanded !== null;) {
      [{ expanded }] = await this.dataSource.query<[{ expanded: string | null }]>(
        'SELECT expand_next_webhook($1) AS expanded',
        [expanded],
      );
    }
    return rows.map(({ id }) => id).reverse();
  }

  /** A process that delivers, as far as the database can tell. */
  async work(policy: Partial<DeliveryPolicy> = {}, destinations = new Destinations(true)): Promise<DeliveryWorker> {
    const dataSource = await createDataSource(this.database, [WebhookSubscription]).initialize();
    const worker = workerOn(dataSource, { ...EAGER, ...policy }, destinations);
    this.workers.push({ worker, dataSource });
    worker.onApplicationBootstrap();
    return worker;
  }

  async stopWorkers(): Promise<void> {
    for (const { worker, dataSource } of this.workers.splice(0)) {
      await worker.beforeApplicationShutdown();
      await dataSource.destroy();
    }
  }

  /** What stands of deliveries, in the order of the entries. */
  async deliveries(): Promise<Row[]> {
    return this.dataSource.query(
      `SELECT entry_id AS entry, subject, state, attempts, lease, last_status, last_error,
         CASE WHEN isfinite(next_attempt_at) THEN extract(epoch FROM next_attempt_at - last_attempt_at)::float8 END AS "secondsToNext"
       FROM webhook_deliveries ORDER BY entry_id, subscription_id`,
    );
  }

  /** The deliveries, once they fulfil a condition. */
  async deliveriesThat(fulfil: (rows: Row[]) => boolean): Promise<Row[]> {
    for (;;) {
      const rows = await this.deliveries();
      if (fulfil(rows)) return rows;
      await delay(10);
    }
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.dataSource.destroy();
    await this.database.close();
  }
}

export interface Row {
  entry: string;
  subject: string;
  state: WebhookDeliveryState;
  attempts: number;
  lease: string | null;
  last_status: number | null;
  last_error: string | null;
  /** From the last try to the next; null if that is due whatever the clock says. */
  secondsToNext: number | null;
}

export const all = (state: Row['state']) => (rows: Row[]) =>
  rows.length > 0 && rows.every((row) => row.state === state);

export function transactionsOn(dataSource: DataSource): Transactions {
  return new Transactions(dataSource, new Statements(dataSource));
}

export function workerOn(dataSource: DataSource, policy: DeliveryPolicy, destinations: Destinations): DeliveryWorker {
  const transactions = transactionsOn(dataSource);
  return new DeliveryWorker({
    transactions,
    ready: () => Promise.resolve(),
    queue: new DeliveryQueue(transactions, new Journal()),
    sender: new WebhookSender(destinations, policy.timeoutMs),
    policy,
  });
}
