import { type Actor, JOURNAL_ACTIONS, type JournalAction, type JournalFacts } from './journal';

/**
 * The events for webhooks: every action of the journal except those on webhooks and connections, which are not about
 * the directory.
 */
export type WebhookEventType = Exclude<JournalAction, `${'webhook' | 'scim_connection'}.${string}`>;

export const WEBHOOK_EVENT_TYPES = JOURNAL_ACTIONS.filter(
  (action): action is WebhookEventType => !/^(?:webhook|scim_connection)\./.test(action),
);

/**
 * The part of a webhook's address that the journal tells: scheme, host and port. What follows can be a secret of
 * another system.
 */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** How the body of a delivery is labelled. The second is for receivers that parse nothing else. */
export const WEBHOOK_CONTENT_TYPES = ['application/cloudevents+json', 'application/json'] as const;
export type WebhookContentType = (typeof WEBHOOK_CONTENT_TYPES)[number];

/** Why a webhook is disabled: an administrator disabled it, or its URL answered 410 (Gone). */
export const WEBHOOK_DISABLED_REASONS = ['administrator', 'gone'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/**
 * A `pending` delivery is due at some time, or being attempted. A `waiting` delivery has an earlier one of the same
 * user before it. The others have ended: delivered, or failed for good.
 */
export const WEBHOOK_DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

/** What a webhook receives: an event in the JSON format of CloudEvents 1.0. */
export interface WebhookEvent {
  specversion: '1.0';
  /** The `webhook-id`, which is the same for every attempt. */
  id: string;
  source: '/user-administration';
  type: WebhookEventType;
  /** The changed user, otherwise the workspace. Absent if there is none. */
  subject?: string;
  /** The time of the change: ISO 8601, UTC. */
  time: string;
  /**
   * The trace that the change belongs to (CloudEvents extension for distributed tracing). Absent if its request named
   * none.
   */
  traceparent?: string;
  datacontenttype: 'application/json';
  data: {
    /** The id of the entry in the journal. */
    entry: string;
    user: string | null;
    workspaces: string[];
    before: JournalFacts[JournalAction] | null;
    after: JournalFacts[JournalAction] | null;
    actor: Actor;
    grantedBy: string | null;
    reason: string | null;
    requestId: string | null;
  };
}
