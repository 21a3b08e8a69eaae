export { UserAdministrationError } from '../user-administration-error.ts';
export type { DeliveryMemory, Handling } from './delivery-memory.ts';
export type { EventFacts } from './event-facts.ts';
export { type SignedWebhook, signWebhook, type TestEvent } from './sign-webhook.ts';
export type { WebhookEvent, WebhookEventType } from './webhook-event.ts';
export {
  WebhookReceiver,
  type WebhookBody,
  type WebhookHeaders,
  type WebhookReceiverOptions,
} from './webhook-receiver.ts';
