import type { WebhookEvent } from '../../../src/plugins/webhooks/webhook-types';

/** Events, and the cursor of those that follow. */
export interface EventPage {
  events: WebhookEvent[];
  next: string;
}

/** The first event of a type, or what came instead. */
export interface FirstEvent {
  event: WebhookEvent | undefined;
  /** All events until then. */
  events: WebhookEvent[];
  /** Whether the service ended before. */
  closed: boolean;
}
