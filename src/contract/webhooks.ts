import { type Actor, JOURNAL_ACTIONS, type JournalAction, type JournalEntry } from './journal';

/** What a webhook can be told of: every action of the journal but those on webhooks themselves. */
export type WebhookEventType = Exclude<JournalAction, `webhook.${string}`>;

export const WEBHOOK_EVENT_TYPES = JOURNAL_ACTIONS.filter(
  (action): action is WebhookEventType => !action.startsWith('webhook.'),
);

/** Why a webhook is told nothing: an administrator wants it so, or its address answered 410 (Gone). */
export const WEBHOOK_DISABLED_REASONS = ['administrator', 'gone'] as const;

/** A subscription, as `/api/webhooks` tells it. */
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

/** Told when it is made and when the secret is changed, and never again. */
export interface WebhookWithSecret extends Webhook {
  /** As Standard Webhooks writes it: `whsec_` and base64. */
  secret: string;
}

/**
 * A `pending` delivery is due at some time, or being tried; a `waiting` one has an earlier one of the same user before it.
 * The others are over: answered with success, or given up.
 */
export const WEBHOOK_DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'failed'] as const;

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  /** The `webhook-id` of every try. */
  id: string;
  event: WebhookEventType;
  /** Whom it was done to. */
  user: string | null;
  state: (typeof WEBHOOK_DELIVERY_STATES)[number];
  /** Tries so far, since it was made or last replayed. */
  attempts: number;
  createdAt: string;
  lastAttemptAt: string | null;
  /** The HTTP status of the last answer, if there was one. */
  lastStatus: number | null;
  /** What went wrong last, in English; null after a success. */
  lastError: string | null;
  /** When it is due, as far as that is known. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
}

/** A delivery with what it delivers. */
export interface WebhookDeliveryWithBody extends WebhookDelivery {
  body: WebhookEvent;
}

/** What a webhook receives: an event in the JSON format of CloudEvents 1.0. */
export interface WebhookEvent {
  specversion: '1.0';
  /** The `webhook-id`: the same at every try. */
  id: string;
  source: '/user-administration';
  type: WebhookEventType;
  /** Whom it was done to; for a change of no one user, the workspace that it concerns, if there is one. */
  subject?: string;
  /** When it was done: ISO 8601, UTC. */
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
