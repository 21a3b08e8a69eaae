import { Injectable } from '@nestjs/common';
import type { Webhook } from '../contract/webhooks';
import { Transactions } from '../database/transactions';
import type { Attribution } from '../contract/attribution';
import { Journal } from '../journal/journal';
import { lockWebhook } from './lock-webhook';
import { factsOf, toWebhook } from './webhook-row';

/** Removes a webhook. What has not been delivered never will be; its deliveries are swept away later. */
@Injectable()
export class DeleteWebhookService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  async execute(id: string, attribution: Attribution): Promise<Webhook> {
    return this.transactions.run(async (manager) => {
      const { webhook, judged } = await lockWebhook(manager, id, attribution);
      await manager.query('DELETE FROM webhook_subscriptions WHERE id = $1', [id]);
      await this.journal.append(manager, judged, [{ action: 'webhook.deleted', before: factsOf(webhook) }]);
      return toWebhook(webhook);
    });
  }
}
