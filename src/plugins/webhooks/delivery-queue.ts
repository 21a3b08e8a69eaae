import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Journal, judgeCaller, Transactions } from '../door';
import type { ClaimedDelivery } from './claim-deliveries';
import { makeOwed } from './owed-deliveries';
import { updateWebhook } from './update-webhook';
import { factsOf } from './webhook-body';
import { WebhookSubscription } from './webhook-subscription.entity';
import { WEBHOOK_ACTIONS } from './actions';

/** The result of an attempt. */
export type AttemptResult =
  | { kind: 'delivered'; status: number }
  /** To be retried after the delay; without a delay, it has failed for good. */
  | { kind: 'failed'; status?: number; error: string; delayMs: number | undefined }
  /** The answer disables the webhook: see `disablesWebhook`. */
  | { kind: 'gone'; status: number }
  /** This process stopped the attempt because it ends. */
  | { kind: 'interrupted' };

/** After its lease has ended, an attempt belongs to another process, and its result is not written. */
const WHILE_LEASED = 'WHERE subscription_id = $1 AND entry_id = $2 AND lease = $3';

/** Writes the results of attempts. */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  async record(delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
    await this.transactions.run((manager) => this.write(manager, delivery, result));
  }

  private async write(manager: EntityManager, delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
    switch (result.kind) {
      case 'delivered':
        return end(manager, delivery, { state: 'delivered', status: result.status });
      case 'failed':
        return result.delayMs === undefined
          ? end(manager, delivery, { state: 'failed', ...result })
          : postpone(manager, delivery, result.delayMs, result);
      case 'gone':
        return this.giveUp(manager, delivery, result.status);
      case 'interrupted':
        return giveBack(manager, delivery);
    }
  }

  /**
   * Disables the webhook, unless its URL has changed since: then the delivery is attempted there. Its other deliveries
   * stay queued until an administrator enables the webhook again.
   */
  private async giveUp(manager: EntityManager, delivery: ClaimedDelivery, status: number): Promise<void> {
    const answer = { status, error: `answered ${status}` };
    const lock = { mode: 'pessimistic_write' } as const;
    const where = { id: delivery.subscriptionId };
    const webhook = await manager.findOne(WebhookSubscription, { where, lock });
    if (webhook && webhook.url !== delivery.url) return postpone(manager, delivery, 0, answer);
    await end(manager, delivery, { state: 'failed', ...answer });
    if (!webhook?.enabled) return;
    await makeOwed(manager, webhook.id);
    const judged = await judgeCaller(manager, {
      actor: { kind: 'system', id: 'webhooks' },
      reason: `The webhook answered ${status}.`,
    });
    const disabled = await updateWebhook(manager, webhook.id, { enabled: false, disabledReason: 'gone' });
    await this.journal.append(manager, judged, [
      WEBHOOK_ACTIONS.entry('webhook.updated', { before: factsOf(webhook), after: factsOf(disabled) }),
    ]);
  }
}

/**
 * Ends a delivery, then wakes the next one in a separate statement, which sees every delivery that was made to wait
 * meanwhile: see `claim-deliveries.ts`.
 */
async function end(
  manager: EntityManager,
  { subscriptionId, entryId, lease }: ClaimedDelivery,
  { state, status, error }: { state: 'delivered' | 'failed'; status?: number; error?: string },
): Promise<void> {
  const [ended] = (await manager.query(
    `UPDATE webhook_deliveries SET state = $4, lease = NULL, finished_at = now(), last_status = $5, last_error = $6
     ${WHILE_LEASED} RETURNING subject`,
    [subscriptionId, entryId, lease, state, status, error],
  )) as [{ subject: string }[], number];
  for (const { subject } of ended) await wakeNext(manager, subscriptionId, subject);
}

async function giveBack(manager: EntityManager, { subscriptionId, entryId, lease }: ClaimedDelivery): Promise<void> {
  await manager.query(
    `UPDATE webhook_deliveries SET lease = NULL, attempts = attempts - 1, next_attempt_at = '-infinity' ` +
      `${WHILE_LEASED}`,
    [subscriptionId, entryId, lease],
  );
}

async function postpone(
  manager: EntityManager,
  { subscriptionId, entryId, lease }: ClaimedDelivery,
  delayMs: number,
  { status, error }: { status?: number; error: string },
): Promise<void> {
  await manager.query(
    `UPDATE webhook_deliveries
     SET lease = NULL, next_attempt_at = now() + $4 * interval '1 ms', last_status = $5, last_error = $6
     ${WHILE_LEASED}`,
    [subscriptionId, entryId, lease, delayMs, status, error],
  );
}

/** Makes the first waiting delivery due. If it has another blocker, the next poll makes it wait again. */
async function wakeNext(manager: EntityManager, subscriptionId: string, subject: string): Promise<void> {
  await manager.query(
    `UPDATE webhook_deliveries SET state = 'pending', next_attempt_at = '-infinity'
     WHERE subscription_id = $1 AND state = 'waiting' AND entry_id = (
       SELECT min(entry_id) FROM webhook_deliveries
       WHERE subscription_id = $1 AND subject = $2 AND state = 'waiting' AND NOT replay)`,
    [subscriptionId, subject],
  );
}
