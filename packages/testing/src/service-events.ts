import { declaredEvents } from '../../../src/contract/plugin-actions';
import type { JournalReader } from '../../../src/journal/journal-reader';
import type { Sealer } from '../../../src/journal/sealer';
import type { RequestsUnderWay } from '@user-administration/http';
import { webhookEvent } from '../../../src/plugins/webhooks/webhook-event';
import type { WebhookEvent } from '../../../src/plugins/webhooks/webhook-types';
import type { EventPage, FirstEvent } from './event-page';

/** The webhook in the ids of events: one that subscribes to everything and is not registered. */
const WEBHOOK = '00000000-0000-7000-8000-000000000000';

/** Longer than an event of an answered request takes, and a test that waits for another one says so before it is stopped. */
const FIRST_WITHIN_MS = 5_000;

const READ_ENTRIES = 1_000;

/** The events for a webhook that subscribes to everything, read from the journal as a follower reads it. */
export class ServiceEvents {
  private begin = 0;
  private waiting: (() => void)[] = [];
  private closed = false;

  constructor(
    private readonly reader: JournalReader,
    private readonly sealer: Sealer,
    requests: RequestsUnderWay,
  ) {
    requests.observe(() => this.wake());
  }

  /** Skips everything until now. */
  async restart(): Promise<void> {
    this.begin = (await this.sealer.seal()).position;
  }

  /**
   * The events after a cursor; without one, from the first on.
   *
   * @param wait whether to wait until there is one; there is none then only if the service ends, or if it is too late
   */
  async after(cursor: string | undefined, wait: boolean, isLate = () => false): Promise<EventPage> {
    const start = Number(cursor ?? 0);
    for (;;) {
      // Subscribed before it reads, so that nothing can happen between reading and waiting.
      const woken = new Promise<void>((resolve) => this.waiting.push(resolve));
      const page = await this.read(Math.max(this.begin, start));
      if (page.events.length > 0 || !wait || this.closed || isLate()) return page;
      await woken;
    }
  }

  /** Waits by the clock of this process, which no test can fake. */
  async first(type: string, withinMs = FIRST_WITHIN_MS): Promise<FirstEvent> {
    const events: WebhookEvent[] = [];
    for await (const page of this.pages(undefined, withinMs)) {
      const event = page.events.find((one) => one.type === type);
      events.push(...page.events);
      if (event) return { event, events, closed: this.closed };
    }
    return { event: undefined, events, closed: this.closed };
  }

  /**
   * The events after a cursor, of one type if it is given: at once if there is one, else those that come first within this time.
   *
   * @param gone ends the wait
   */
  async within(
    withinMs: number,
    cursor: string | undefined,
    type: string | undefined,
    gone?: AbortSignal,
  ): Promise<EventPage> {
    let next = cursor ?? '0';
    for await (const page of this.pages(cursor, withinMs, gone)) {
      const events = page.events.filter((event) => type === undefined || event.type === type);
      next = page.next;
      if (events.length > 0) return { events, next };
    }
    return { events: [], next };
  }

  /** Each page of events after the cursor. The last one, when the time is over, is empty. */
  private async *pages(
    cursor: string | undefined,
    withinMs: number,
    gone?: AbortSignal,
  ): AsyncGenerator<EventPage, void, undefined> {
    let isLate = withinMs === 0;
    const end = () => {
      isLate = true;
      this.wake();
    };
    const timer = setTimeout(end, withinMs);
    gone?.addEventListener('abort', end);
    try {
      for (let after = cursor; ;) {
        const page = await this.after(after, true, () => isLate);
        yield page;
        if (page.events.length === 0) return;
        after = page.next;
      }
    } finally {
      clearTimeout(timer);
      gone?.removeEventListener('abort', end);
    }
  }

  close(): void {
    this.closed = true;
    this.wake();
  }

  /** Something may have happened without a request. */
  wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async read(start: number): Promise<EventPage> {
    const events: WebhookEvent[] = [];
    let position = start;
    for (let more = !this.closed; more;) {
      const head = await this.sealer.seal();
      if (start > head.position)
        throw new RangeError(`There is no event ${start} yet. Follow from a \`next\` of an answer.`);
      const span = { after: position, until: head.position };
      const { changes, end } = await this.reader.find({ action: declaredEvents() }, span, READ_ENTRIES, true);
      for (const change of changes) {
        events.push(
          ...change.user_ids.map((user, index) => {
            const delivery = { subscriptionId: WEBHOOK, entryId: String(change.position + index) };
            return webhookEvent(delivery, { ...change, user_id: user });
          }),
        );
      }
      position = end ?? head.position;
      more = end !== undefined;
    }
    return { events, next: String(position) };
  }
}
