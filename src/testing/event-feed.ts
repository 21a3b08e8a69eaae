import type { WebhookEvent, WebhookEventType } from '../contract/webhooks';

/** Reads the events after an entry of the journal, and waits for one if it is told to. */
export type EventReader = (after: string, wait: boolean) => Promise<WebhookEvent[]>;

/**
 * What a webhook that wants every event would be told since the start or the last reset, in its order.
 *
 * @example
 * const { data } = await users.events.first('user.status.changed');
 * expect(data.user).toBe('ben');
 */
export class EventFeed implements AsyncIterable<WebhookEvent> {
  constructor(private readonly read: EventReader) {}

  /** All until now. What was answered already has its event. */
  all(): Promise<WebhookEvent[]> {
    return this.read('0', false);
  }

  /** The first of this type: at once if there is one, else when it happens. */
  async first(type: WebhookEventType): Promise<WebhookEvent> {
    for await (const event of this) if (event.type === type) return event;
    throw new Error(`The service was closed before it told of ${type}.`);
  }

  /** From the first on, then as they happen, until the service is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<WebhookEvent, void, undefined> {
    for (let after = '0'; ;) {
      const events = await this.read(after, true);
      if (events.length === 0) return;
      yield* events;
      after = events.at(-1)?.data.entry ?? after;
    }
  }
}
