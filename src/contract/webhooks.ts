import { type Actor, JOURNAL_ACTIONS, type JournalAction, type JournalEntry } from './journal';

/** The events for webhooks: every action of the journal except those on webhooks. */
export type WebhookEventType = Exclude<JournalAction, `webhook.${string}`>;

export const WEBHOOK_EVENT_TYPES = JOURNAL_ACTIONS.filter(
  (action): action is WebhookEventType => !action.startsWith('webhook.'),
);

/** Why a webhook is disabled: an administrator disabled it, or its URL answered 410 (Gone). */
export const WEBHOOK_DISABLED_REASONS = ['administrator', 'gone'] as const;

/** A subscription, as `/api/webhooks` shows it. */
export interface Webhook {
  id: string;
  url: string;
  events: WebhookEventType[];
  enabled: boolean;
  disabledReason: (typeof WEBHOOK_DISABLED_REASONS)[number] | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

/** Shown only when the webhook is created and when the secret changes. */
export interface WebhookWithSecret extends Webhook {
  /** The format of Standard Webhooks: `whsec_` and base64. */
  secret: string;
}

/**
 * A `pending` delivery is due at some time, or being attempted. A `waiting` delivery has an earlier one of the same
 * user before it. The others have ended: delivered, or failed for good.
 */
export const WEBHOOK_DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'failed'] as const;

/** One event for one webhook. */
export interface WebhookDelivery {
  /** The `webhook-id` of every attempt. */
  id: string;
  event: WebhookEventType;
  /** Whom it was done to. */
  user: string | null;
  state: (typeof WEBHOOK_DELIVERY_STATES)[number];
  /** Attempts since it was created or last replayed. */
  attempts: number;
  createdAt: string;
  lastAttemptAt: string | null;
  /** The HTTP status of the last answer, if there was one. */
  lastStatus: number | null;
  /** The last error, in English; null after a success. */
  lastError: string | null;
  /** When it is due, if known. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
}

/** A delivery with its event. */
export interface WebhookDeliveryWithBody extends WebhookDelivery {
  body: WebhookEvent;
}

/** What a webhook receives: an event in the JSON format of CloudEvents 1.0. */
export interface WebhookEvent {
  specversion: '1.0';
  /** The `webhook-id`, which is the same for every attempt. */
  id: string;
  source: '/user-administration';
  type: WebhookEventType;
  /** Whom it was done to; for a change of no one user, the workspace that it concerns, if there is one. */
  subject?: string;
  /** The time of the change: ISO 8601, UTC. */
  time: string;
  datacontenttype: 'application/json';
  data: {
    /** The id of the entry in the journal. */
    entry: string;
    user: string | null;
    workspaces: string[];
    before: JournalEntry['before'];
    after: JournalEntry['after'];
    actor: Actor;
    grantedBy: string | null;
    reason: string | null;
    requestId: string | null;
  };
}
