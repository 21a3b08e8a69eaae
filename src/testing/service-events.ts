import type { DataSource } from 'typeorm';
import { WEBHOOK_EVENT_TYPES, type WebhookEvent } from '../contract/webhooks';
import type { RequestsUnderWay } from '../server/requests-under-way';
import { EVENT_COLUMNS, type EventRow, webhookEvent } from '../webhooks/webhook-event';

/** The webhook in the ids of events: one that subscribes to everything and is not registered. */
const WEBHOOK = '00000000-0000-7000-8000-000000000000';

type FoundRow = EventRow & { entry_id: string };

/** The events for a webhook that subscribes to everything, read from the journal. */
export class ServiceEvents {
  private begin = '0';
  private waiting: (() => void)[] = [];
  private closed = false;

  constructor(
    private readonly dataSource: DataSource,
    requests: RequestsUnderWay,
  ) {
    requests.observe(() => this.wake());
  }

  /** Skips everything until now. */
  async restart(): Promise<void> {
    this.begin = await this.last();
  }

  /** The newest entry of the journal. */
  async last(): Promise<string> {
    const [last]: { id: string }[] = await this.dataSource.query(
      'SELECT COALESCE(max(id + entries - 1), 0)::text AS id FROM journal_changes',
    );
    return last?.id ?? '0';
  }

  /**
   * The events after an entry of the journal, in its order.
   *
   * @param wait whether to wait until there is one; the result is then empty only if the service ends
   */
  async after(entry: string, wait: boolean): Promise<WebhookEvent[]> {
    for (;;) {
      // Subscribed before it reads, so that nothing can happen between reading and waiting.
      const woken = new Promise<void>((resolve) => this.waiting.push(resolve));
      const events = await this.read(entry);
      if (events.length > 0 || !wait || this.closed) return events;
      await woken;
    }
  }

  close(): void {
    this.closed = true;
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async read(entry: string): Promise<WebhookEvent[]> {
    if (this.closed) return [];
    const from = BigInt(entry) > BigInt(this.begin) ? entry : this.begin;
    const rows: FoundRow[] = await this.dataSource.query(
      `SELECT ${EVENT_COLUMNS}, delivery.entry_id
       FROM journal_changes AS change
       CROSS JOIN LATERAL (
         SELECT change.id + position AS entry_id FROM generate_series(0, change.entries - 1) AS position
       ) AS delivery
       WHERE delivery.entry_id > $1 AND change.action = ANY ($2) ORDER BY delivery.entry_id`,
      [from, WEBHOOK_EVENT_TYPES],
    );
    return rows.map((row) => webhookEvent({ subscriptionId: WEBHOOK, entryId: row.entry_id }, row));
  }
}
