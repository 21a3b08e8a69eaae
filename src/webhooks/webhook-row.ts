import type { Webhook } from '../contract/webhooks';

export const WEBHOOK_COLUMNS = 'id, url, events, enabled, disabled_reason, created_at, updated_at';

export interface WebhookRow {
  id: string;
  url: string;
  events: Webhook['events'];
  enabled: boolean;
  disabled_reason: Webhook['disabledReason'];
  created_at: Date;
  updated_at: Date;
}

export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** What the journal is told of a webhook. Never the secret. */
export function factsOf({ id, url, events, enabled }: WebhookRow) {
  return { webhook: id, url, events, enabled };
}
