import { Injectable } from '@nestjs/common';
import type { Attribution } from '../contract/attribution';
import { Transactions } from '../database/transactions';
import { Journal } from '../journal/journal';
import { lockWebhook } from './lock-webhook';
import { factsOf } from './webhook-body';
import { WebhookSubscription } from './webhook-subscription.entity';

/** Removes a webhook. Its pending deliveries are never sent, and are swept later. */
@Injectable()
export class DeleteWebhookService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `webhook.unknown` */
  async execute(id: string, attribution: Attribution): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { webhook, judged } = await lockWebhook(manager, id, attribution);
      await manager.delete(WebhookSubscription, { id });
      await this.journal.append(manager, judged, [{ action: 'webhook.deleted', before: factsOf(webhook) }]);
    });
  }
}
