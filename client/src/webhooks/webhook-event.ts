import type { WebhookEvent as AnyWebhookEvent, WebhookEventType } from '../generated/types.gen.ts';
import type { EventFacts, StatesOf } from './event-facts.ts';

export type { WebhookEventType };

interface EventOf<Type extends WebhookEventType> extends Omit<AnyWebhookEvent, 'type' | 'data'> {
  type: Type;
  data: Omit<AnyWebhookEvent['data'], 'user' | 'before' | 'after'> &
    StatesOf<EventFacts, Type> & {
      /** The changed user. Every event of users has one, and no other. */
      user: Type extends `user.${string}` ? string : null;
    };
}

/**
 * An event of the service (CloudEvents 1.0). Comparing `type` narrows the types of `data.before` and `data.after`.
 *
 * @example if (event.type === 'user.status.changed') console.log(event.data.after?.status);
 */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
  [One in Type]: EventOf<One>;
}[Type];
