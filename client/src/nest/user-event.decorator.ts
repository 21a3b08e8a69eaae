import { SetMetadata } from '@nestjs/common';
import type { WebhookEventType } from '../webhooks/webhook-event.ts';

export const USER_EVENTS = 'user-administration-client/events';

/**
 * Has a method of a provider or controller called for these events, for all of them if none is named. A failure has the event
 * delivered again, to all its methods.
 *
 * @example
 * @UserEvent('user.status.changed')
 * async closeSessions(event: WebhookEvent<'user.status.changed'>): Promise<void> {}
 */
export function UserEvent(...types: WebhookEventType[]): MethodDecorator {
  return SetMetadata(USER_EVENTS, types);
}
