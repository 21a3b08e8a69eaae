import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { databaseCode, isDatabaseUnavailable, WakeSignal } from '@user-administration/postgres';
import { ServiceError, type Transactions } from '../door';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries';
import type { DeliveryPolicy } from './delivery-policy';
import type { AttemptResult, DeliveryQueue } from './delivery-queue';
import { sweepDeliveries } from './sweep-deliveries';
import { attemptDelivery } from './attempt-delivery';
import type { WebhookSender } from './webhook-sender';

/**
 * The pause between two polls, however many wake signals arrive: one poll that finds several deliveries is cheaper than
 * several that find one each.
 */
const BREATH_MS = 20;
/** The pause while no webhook exists. The first webhook may wait this long for its first event. */
const BREATH_WITHOUT_WEBHOOKS_MS = 250;

interface DeliveryWorkerParts {
  transactions: Transactions;
  /** Resolves once the schema is in place. */
  ready(): Promise<void>;
  queue: DeliveryQueue;
  sender: WebhookSender;
  policy: DeliveryPolicy;
}

/**
 * Sends due deliveries for as long as the process runs. Any number of processes can do so side by side.
 *
 * It uses at most two connections to the database, each for one or a few statements, and none while it waits for a
 * receiver.
 */
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  private readonly bell = new WakeSignal();
  private readonly stopping = new AbortController();
  private readonly interruption = new AbortController();
  private readonly tries = new Set<Promise<void>>();
  private readonly inFlight = new Map<string, number>();
  private lastRecord: Promise<void> = Promise.resolve();
  private running: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;
  private sweepAt = 0;
  /** Whether the last poll failed because the database is away or busy. The log says so once. */
  private isWaiting = false;
  private hasWebhooks = true;
  /** The webhook for which the journal was read last. */
  private lastExpanded = '';

  constructor(private readonly parts: DeliveryWorkerParts) {
    // Each attempt listens to it.
    setMaxListeners(0, this.interruption.signal);
  }

  onApplicationBootstrap(): void {
    this.running ??= this.run();
  }

  /** Polls at once, because a delivery may be due: call this after a change. */
  hint(): void {
    this.bell.ring();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Claims nothing new, lets attempts finish, interrupts those that take too long, and releases their deliveries. */
  stop(): Promise<void> {
    return (this.stopped ??= this.finish());
  }

  private async finish(): Promise<void> {
    this.stopping.abort();
    this.bell.ring();
    const timer = setTimeout(() => this.interruption.abort(new Error('the service stops')), this.parts.policy.stopMs);
    await this.running;
    await Promise.all(this.tries);
    clearTimeout(timer);
  }

  private async run(): Promise<void> {
    const { ready, policy } = this.parts;
    // A database that never becomes ready is reported elsewhere. Here it means that there is nothing to do.
    const isReady = await Promise.race([
      ready().then(
        () => true,
        () => false,
      ),
      this.stopRequested(),
    ]);
    if (!isReady) return;
    while (!this.stopping.signal.aborted) {
      const more = await this.look();
      await this.pause(this.hasWebhooks ? BREATH_MS : BREATH_WITHOUT_WEBHOOKS_MS);
      if (!more) await this.bell.wait(policy.pollMs);
    }
  }

  private pause(ms: number): Promise<void> {
    const { signal } = this.stopping;
    return delay(ms, undefined, { ref: false, signal }).catch(() => undefined);
  }

  private stopRequested(): Promise<false> {
    return new Promise((resolve) => this.stopping.signal.addEventListener('abort', () => resolve(false)));
  }

  /** @returns whether there may be more */
  private async look(): Promise<boolean> {
    const { transactions, policy } = this.parts;
    try {
      const began = performance.now();
      const claim = await claimDeliveries(transactions, policy, this.inFlight, this.lastExpanded);
      const { deliveries, more, hasWebhooks } = claim;
      this.hasWebhooks = hasWebhooks;
      this.lastExpanded = claim.expanded ?? this.lastExpanded;
      for (const delivery of deliveries) this.begin(delivery, began + policy.leaseMs);
      const swept = await this.sweep();
      if (this.isWaiting) this.logger.log('The database answers again; webhook deliveries continue.');
      this.isWaiting = false;
      return more || swept;
    } catch (error) {
      this.report(error);
      return false;
    }
  }

  private async sweep(): Promise<boolean> {
    if (performance.now() < this.sweepAt) return false;
    const more = await sweepDeliveries(this.parts.transactions);
    if (!more) this.sweepAt = performance.now() + this.parts.policy.sweepMs;
    return more;
  }

  /** @param leaseEnd measured from before the claim was sent, because the time that its answer took is unknown */
  private begin(delivery: ClaimedDelivery, leaseEnd: number): void {
    const { subscriptionId } = delivery;
    this.inFlight.set(subscriptionId, (this.inFlight.get(subscriptionId) ?? 0) + 1);
    const end = this.deliver(delivery, leaseEnd).finally(() => {
      this.tries.delete(end);
      const left = (this.inFlight.get(subscriptionId) ?? 0) - 1;
      if (left > 0) this.inFlight.set(subscriptionId, left);
      else this.inFlight.delete(subscriptionId);
      this.bell.ring();
    });
    this.tries.add(end);
  }

  private async deliver(delivery: ClaimedDelivery, leaseEnd: number): Promise<void> {
    const { sender, policy } = this.parts;
    // An attempt that outlasts its lease could arrive after that of a newer event.
    const fits = performance.now() + policy.timeoutMs <= leaseEnd;
    const result: AttemptResult = fits
      ? await attemptDelivery(delivery, sender, policy, this.interruption.signal)
      : { kind: 'interrupted' };
    // Results are written one after the other, so that many of them do not occupy the connections of requests.
    this.lastRecord = this.lastRecord.then(() => this.record(delivery, result, leaseEnd));
    await this.lastRecord;
    // The line omits the URL, which can contain a secret.
    const webhook = `Webhook ${delivery.subscriptionId}`;
    if (result.kind === 'gone') this.logger.warn(`${webhook} is disabled: it answered ${result.status}.`);
    if (result.kind === 'failed' && result.delayMs === undefined) {
      this.logger.warn(
        `${webhook} did not receive entry ${delivery.entryId}, and it will not be retried: ${result.error}.`,
      );
    }
  }

  /** Retries to write the result while the lease lasts. After that, the delivery is attempted again. */
  private async record(delivery: ClaimedDelivery, result: AttemptResult, leaseEnd: number): Promise<void> {
    for (;;) {
      try {
        return await this.parts.queue.record(delivery, result);
      } catch (error) {
        this.report(error);
        const canWait = canPass(error) && performance.now() < leaseEnd && !this.interruption.signal.aborted;
        if (!canWait) return;
        await delay(this.parts.policy.pollMs, undefined, { ref: false });
      }
    }
  }

  private report(error: unknown): void {
    if (this.stopping.signal.aborted) return;
    if (!canPass(error)) {
      this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } else if (!this.isWaiting) {
      this.isWaiting = true;
      this.logger.warn(
        `The database is away or busy (${databaseCode(error) ?? 'no answer in time'}); webhook deliveries wait.`,
      );
    }
  }
}

/** The database is away or too busy for this statement, or the pool has no free connection. */
function canPass(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof ServiceError && error.code === 'service.unavailable');
}
