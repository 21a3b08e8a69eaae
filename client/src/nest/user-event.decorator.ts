import { SetMetadata } from '@nestjs/common';
import type { WebhookEventType } from '../webhooks/webhook-event.ts';

export const USER_EVENTS = '@user-administration/client/events';

/**
 * Calls a method of a provider or controller for each event of these types; without a type, for every event. If one method throws an error,
 * the service delivers the event again, to all its methods.
 *
 * @example
 * @UserEvent('user.status.changed')
 * async closeSessions(event: WebhookEvent<'user.status.changed'>): Promise<void> {}
 */
export function UserEvent(...types: WebhookEventType[]): MethodDecorator {
  return SetMetadata(USER_EVENTS, types);
}
