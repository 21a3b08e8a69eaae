import type { Webhook } from '../contract/webhooks';
import type { WebhookSubscription } from './webhook-subscription.entity';

/** A webhook as it crosses the wire: without its secrets. */
export function toWebhook(webhook: WebhookSubscription): Webhook {
  const { id, url, events, enabled, disabledReason, createdAt, updatedAt } = webhook;
  return {
    id,
    url,
    events,
    enabled,
    disabledReason,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** What the journal is told of a webhook. Never the secret. */
export function factsOf({ id, url, events, enabled }: WebhookSubscription) {
  return { webhook: id, url, events, enabled };
}
