import type { WebhookEvent, WebhookEventType } from '../../../src/contract/webhooks';
import type { EventPage } from './service-events';

type EventReader = (after: string | undefined, wait: boolean) => Promise<EventPage>;

/**
 * The events that a webhook for everything would receive since the start or the last reset, in order.
 *
 * @example
 * const { data } = await users.events.first('user.status.changed');
 * expect(data.user).toBe('ben');
 */
export class EventFeed implements AsyncIterable<WebhookEvent> {
  constructor(private readonly read: EventReader) {}

  /** All events until now. Every answered request already has its event. */
  async all(): Promise<WebhookEvent[]> {
    return (await this.read(undefined, false)).events;
  }

  /** The first event of this type: at once if there is one, else when it happens. */
  async first(type: WebhookEventType): Promise<WebhookEvent> {
    for await (const event of this) if (event.type === type) return event;
    throw new Error(`The service was closed before the event ${type}.`);
  }

  /** All events from the first on, then new ones as they happen, until the service is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<WebhookEvent, void, undefined> {
    for (let after: string | undefined; ;) {
      const { events, next } = await this.read(after, true);
      if (events.length === 0) return;
      yield* events;
      after = next;
    }
  }
}
