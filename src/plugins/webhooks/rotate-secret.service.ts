import { Injectable } from '@nestjs/common';
import { type ChangeContext, Journal, Transactions } from '../door';
import type { WebhookWithSecretDto } from './dto/webhook.dto';
import { lockWebhook } from './lock-webhook';
import { makeSecret } from './signature';
import { updateWebhook } from './update-webhook';
import { toWebhook } from './webhook-body';
import { WEBHOOK_ACTIONS } from './actions';

/** How long the previous secret still signs, so that a receiver can switch without a gap. */
const OVERLAP = '24 hours';

/** Gives a webhook a new secret. */
@Injectable()
export class RotateSecretService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `webhook.unknown`, `record.changed` */
  async execute(id: string, context: ChangeContext): Promise<WebhookWithSecretDto> {
    const secret = makeSecret();
    return this.transactions.run(async (manager) => {
      const { judged } = await lockWebhook(manager, id, context);
      const webhook = await updateWebhook(manager, id, {
        secret,
        previousSecret: () => 'secret',
        previousSecretExpiresAt: () => `now() + interval '${OVERLAP}'`,
      });
      await this.journal.append(manager, judged, [
        WEBHOOK_ACTIONS.entry('webhook.updated', {
          before: { webhook: id },
          after: { webhook: id, secretRotated: true },
        }),
      ]);
      return { ...toWebhook(webhook), secret };
    }, context.unit);
  }
}
