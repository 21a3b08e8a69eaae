import { WEBHOOK_EVENT_TYPES, type WebhookEvent, type WebhookEventType } from '../../../src/contract/webhooks';
import { FeedCursor, type FeedPosition, furthest } from '../../../src/journal/feed-cursor';
import type { FeedReader } from '../../../src/journal/feed-reader';
import type { RequestsUnderWay } from '../../../src/server/requests-under-way';
import { webhookEvent } from '../../../src/webhooks/webhook-event';
import type { EventPage, FirstEvent } from './event-page';

/** The webhook in the ids of events: one that subscribes to everything and is not registered. */
const WEBHOOK = '00000000-0000-7000-8000-000000000000';

/** Longer than an event of an answered request takes, and a test that waits for another one says so before it is stopped. */
const FIRST_WITHIN_MS = 5_000;

/** The events for a webhook that subscribes to everything, read from the journal as a follower reads it. */
export class ServiceEvents {
  private begin: FeedPosition = { delivered: new Map() };
  private waiting: (() => void)[] = [];
  private closed = false;

  constructor(
    private readonly reader: FeedReader,
    requests: RequestsUnderWay,
  ) {
    requests.observe(() => this.wake());
  }

  /** Skips everything until now. */
  async restart(): Promise<void> {
    this.begin = await this.reader.present();
  }

  /**
   * The events after a cursor; without one, from the first on.
   *
   * @param wait whether to wait until there is one; there is none then only if the service ends, or if it is too late
   */
  async after(cursor: string | undefined, wait: boolean, isLate = () => false): Promise<EventPage> {
    const start = FeedCursor.read(cursor ?? '');
    for (;;) {
      // Subscribed before it reads, so that nothing can happen between reading and waiting.
      const woken = new Promise<void>((resolve) => this.waiting.push(resolve));
      const page = await this.read(start ? furthest(this.begin, start) : this.begin);
      if (page.events.length > 0 || !wait || this.closed || isLate()) return page;
      await woken;
    }
  }

  /** Waits by the clock of this process, which no test can fake. */
  async first(type: string, withinMs = FIRST_WITHIN_MS): Promise<FirstEvent> {
    const events: WebhookEvent[] = [];
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.wake();
    }, withinMs);
    try {
      for (let cursor: string | undefined; ;) {
        const page = await this.after(cursor, true, () => isLate);
        const event = page.events.find((one) => one.type === type);
        events.push(...page.events);
        if (event || page.events.length === 0) return { event, events, closed: this.closed };
        cursor = page.next;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.closed = true;
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async read(start: FeedPosition): Promise<EventPage> {
    const delivered = new Map(start.delivered);
    const events: WebhookEvent[] = [];
    for (let more = !this.closed; more;) {
      const part = await this.reader.look({ delivered }, { actions: WEBHOOK_EVENT_TYPES });
      for (const change of part.changes) {
        delivered.set(change.chain, change.number);
        if (change.action === null) continue;
        const { id, user_ids: users } = change;
        const action = change.action as WebhookEventType;
        events.push(
          ...users.map((user, index) => {
            const delivery = { subscriptionId: WEBHOOK, entryId: String(id + BigInt(index)) };
            return webhookEvent(delivery, { ...change, action, user_id: user });
          }),
        );
      }
      ({ more } = part);
    }
    return { events, next: FeedCursor.write({ delivered }) };
  }
}
