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

/** The facts about a webhook in the journal. They never contain the secret. */
export function factsOf({ id, url, events, enabled, contentType }: WebhookSubscription) {
  return { webhook: id, url, events, enabled, ...(contentType === 'application/json' && { contentType }) };
}
