import type { Actor } from '../../contract/journal';

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
  /** An action of the journal. */
  type: string;
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
    before: object | null;
    after: object | null;
    actor: Actor;
    grantedBy: string | null;
    reason: string | null;
    requestId: string | null;
  };
}
