import type { WebhookEvent, WebhookEventType } from '../contract/webhooks';

type EventReader = (after: string, wait: boolean) => Promise<WebhookEvent[]>;

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
  all(): Promise<WebhookEvent[]> {
    return this.read('0', false);
  }

  /** The first event of this type: at once if there is one, else when it happens. */
  async first(type: WebhookEventType): Promise<WebhookEvent> {
    for await (const event of this) if (event.type === type) return event;
    throw new Error(`The service was closed before the event ${type}.`);
  }

  /** All events from the first on, then new ones as they happen, until the service is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<WebhookEvent, void, undefined> {
    for (let after = '0'; ;) {
      const events = await this.read(after, true);
      if (events.length === 0) return;
      yield* events;
      after = events.at(-1)?.data.entry ?? after;
    }
  }
}
