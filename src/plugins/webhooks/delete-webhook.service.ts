import { Injectable } from '@nestjs/common';
import { type ChangeContext, Journal, Transactions } from '../door';
import { lockWebhook } from './lock-webhook';
import { factsOf } from './webhook-body';
import { WebhookSubscription } from './webhook-subscription.entity';
import { WEBHOOK_ACTIONS } from './actions';

/** Removes a webhook. Its pending deliveries are never sent, and are swept later. */
@Injectable()
export class DeleteWebhookService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `webhook.unknown`, `record.changed` */
  async execute(id: string, context: ChangeContext): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { webhook, judged } = await lockWebhook(manager, id, context);
      await manager.delete(WebhookSubscription, { id });
      await this.journal.append(manager, judged, [
        WEBHOOK_ACTIONS.entry('webhook.deleted', { before: factsOf(webhook) }),
      ]);
    });
  }
}
