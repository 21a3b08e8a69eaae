import type { WebhookEvent as AnyWebhookEvent, WebhookEventType } from '../generated/types.gen.ts';
import type { EventFacts } from './event-facts.ts';

export type { WebhookEventType };

type FactsOf<Type> = Type extends keyof EventFacts ? EventFacts[Type] : Record<string, unknown>;

interface EventOf<Type extends WebhookEventType> extends Omit<AnyWebhookEvent, 'type' | 'data'> {
  type: Type;
  /** The `traceparent` of the request that made the change, if it had one: CloudEvents' extension for distributed tracing. */
  traceparent?: string;
  tracestate?: string;
  data: Omit<AnyWebhookEvent['data'], 'before' | 'after'> & {
    before: FactsOf<Type> | null;
    after: FactsOf<Type> | null;
  };
}

/**
 * What a webhook receives. A comparison of its `type` tells which facts it has.
 *
 * @example if (event.type === 'user.status.changed') console.log(event.data.after?.status);
 */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
  [One in Type]: EventOf<One>;
}[Type];
