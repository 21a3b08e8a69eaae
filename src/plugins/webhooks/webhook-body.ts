import type { WebhookDto } from './dto/webhook.dto';
import type { WebhookSubscription } from './webhook-subscription.entity';

/** A webhook as the API shows it, without its secrets. */
export function toWebhook(webhook: WebhookSubscription): WebhookDto {
  const { id, url, events, enabled, disabledReason, contentType, createdAt, updatedAt } = webhook;
  return {
    id,
    url,
    events,
    enabled,
    disabledReason,
    contentType,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** The facts about a webhook in the journal: neither its secret, nor more of its address than the origin. */
export function factsOf({ id, url, events, enabled, contentType }: WebhookSubscription) {
  const usual = contentType === 'application/json' ? { contentType } : {};
  return { webhook: id, url: new URL(url).origin, events, enabled, ...usual };
}
