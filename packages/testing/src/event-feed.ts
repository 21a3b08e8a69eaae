import type { WebhookEvent, WebhookEventType } from '@user-administration/client/webhooks';
import type { EventPage, FirstEvent } from './event-page';

type EventReader = (after: string | undefined, wait: boolean) => Promise<EventPage>;
type EventFinder = (type: string) => Promise<FirstEvent>;

/** The events that an error names. */
const NAMED = 50;

/**
 * The events that a webhook for everything would receive since the start or the last reset, in order.
 *
 * @example
 * const { data } = await users.events.first('user.status.changed');
 * expect(data.user).toBe('ben');
 */
export class EventFeed implements AsyncIterable<WebhookEvent> {
  constructor(
    private readonly read: EventReader,
    private readonly find: EventFinder,
  ) {}

  /** All events until now. Every answered request already has its event. */
  async all(): Promise<WebhookEvent[]> {
    return typed((await this.read(undefined, false)).events);
  }

  /**
   * The first event of this type: at once if there is one, else when it happens.
   *
   * @throws Error after five seconds, with the events that came
   */
  async first<Type extends WebhookEventType>(type: Type): Promise<WebhookEvent<Type>> {
    const { event, events, closed } = await this.find(type);
    if (event) return event as unknown as WebhookEvent<Type>;
    if (closed) throw new Error(`The service was closed before the event ${type}.`);
    const came = events.slice(0, NAMED).map((one) => `  ${one.type} ${one.subject ?? ''}`.trimEnd());
    const more = events.length > NAMED ? [`  and ${events.length - NAMED} more`] : [];
    const what = came.length === 0 ? ' No event came.' : ['', 'These came:', ...came, ...more].join('\n');
    throw new Error(`There was no event ${type} within five seconds.${what}`);
  }

  /** All events from the first on, then new ones as they happen, until the service is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<WebhookEvent, void, undefined> {
    for (let after: string | undefined; ;) {
      const { events, next } = await this.read(after, true);
      if (events.length === 0) return;
      yield* typed(events);
      after = next;
    }
  }
}

/** The client's type has the facts of each event; the service's type does not. */
function typed(events: EventPage['events']): WebhookEvent[] {
  return events as unknown as WebhookEvent[];
}
