import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Webhook } from '../contract/webhooks';
import { Transactions } from '../database/transactions';
import type { Attribution } from '../contract/attribution';
import { Journal } from '../journal/journal';
import { Destinations } from './destinations';
import type { ChangeWebhookDto } from './dto/change-webhook.dto';
import { distinct } from './dto/event-list.decorator';
import { lockWebhook } from './lock-webhook';
import { registrableUrl } from './registrable-url';
import { factsOf, toWebhook, WEBHOOK_COLUMNS, type WebhookRow } from './webhook-row';

/** Changes where a webhook leads, what it is told of, or whether it is told anything. */
@Injectable()
export class ChangeWebhookService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
    private readonly destinations: Destinations,
  ) {}

  async execute(id: string, change: ChangeWebhookDto, attribution: Attribution): Promise<Webhook> {
    const url = typeof change.url === 'string' ? await registrableUrl(this.destinations, change.url) : undefined;
    return this.transactions.run(async (manager) => {
      const { webhook: before, judged } = await lockWebhook(manager, id, attribution);
      const wanted = {
        url: url ?? before.url,
        events: distinct(change.events ?? before.events),
        enabled: change.enabled ?? before.enabled,
      };
      if (isDeepStrictEqual({ ...factsOf(before), ...wanted }, factsOf(before))) return toWebhook(before);
      const after = await write(manager, before, wanted);
      if (after.enabled) await tryAtOnce(manager, id);
      await this.journal.append(manager, judged, [
        { action: 'webhook.updated', before: factsOf(before), after: factsOf(after) },
      ]);
      return toWebhook(after);
    });
  }
}

async function write(
  manager: EntityManager,
  before: WebhookRow,
  { url, events, enabled }: Pick<WebhookRow, 'url' | 'events' | 'enabled'>,
): Promise<WebhookRow> {
  const reason = enabled ? null : (before.disabled_reason ?? 'administrator');
  const [[after]] = (await manager.query(
    `UPDATE webhook_subscriptions SET url = $2, events = $3, enabled = $4, disabled_reason = $5, updated_at = now()
     WHERE id = $1 RETURNING ${WEBHOOK_COLUMNS}`,
    [before.id, url, events, enabled, reason],
  )) as [[WebhookRow], number];
  return after;
}

/** What failed before may well succeed now, and what waits behind it has waited long enough. */
async function tryAtOnce(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    `UPDATE webhook_deliveries SET next_attempt_at = now()
     WHERE subscription_id = $1 AND state = 'pending' AND lease IS NULL AND next_attempt_at > now()`,
    [id],
  );
}
