import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { isIdentifier } from '../door';
import type { WebhookDto } from './dto/webhook.dto';
import { toWebhook } from './webhook-body';
import { WebhookSubscription } from './webhook-subscription.entity';
import { WEBHOOK_ERRORS } from './errors';

/** Reads webhooks, never their secrets. */
@Injectable()
export class WebhooksReader {
  constructor(@InjectRepository(WebhookSubscription) private readonly webhooks: Repository<WebhookSubscription>) {}

  /** All webhooks, oldest first. `WEBHOOK_LIMITS.webhooks` bounds their number. */
  async list(): Promise<WebhookDto[]> {
    const webhooks = await this.webhooks.find({ order: { createdAt: 'ASC', id: 'ASC' } });
    return webhooks.map(toWebhook);
  }

  /** @throws ServiceError `webhook.unknown` */
  async get(id: string): Promise<WebhookDto> {
    return toWebhook(await requireWebhook(this.webhooks, id));
  }
}

/** @throws ServiceError `webhook.unknown` */
export async function requireWebhook(
  webhooks: Repository<WebhookSubscription>,
  id: string,
): Promise<WebhookSubscription> {
  const webhook = isIdentifier(id) ? await webhooks.findOneBy({ id }) : null;
  if (!webhook) throw WEBHOOK_ERRORS.refusal('webhook.unknown');
  return webhook;
}
