import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ChangeContext, Journal, Sealer, Transactions } from '../door';
import { Destinations } from './destinations';
import type { ChangeWebhookDto } from './dto/change-webhook.dto';
import { distinct } from './dto/event-list.decorator';
import type { WebhookDto } from './dto/webhook.dto';
import { lockWebhook } from './lock-webhook';
import { makeOwed, oweFromNow } from './owed-deliveries';
import { registrableUrl } from './registrable-url';
import { updateWebhook } from './update-webhook';
import { factsOf, toWebhook } from './webhook-body';
import { WEBHOOK_ACTIONS } from './actions';

/**
 * Changes the URL of a webhook, its events, the type of its deliveries, or whether it is enabled. New terms apply to
 * what is sealed from then on: the deliveries of everything before are made first.
 */
@Injectable()
export class ChangeWebhookService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
    private readonly destinations: Destinations,
    private readonly sealer: Sealer,
  ) {}

  /** @throws ServiceError `webhook.url_invalid`, `webhook.unknown`, `record.changed` */
  async execute(id: string, change: ChangeWebhookDto, context: ChangeContext): Promise<WebhookDto> {
    const url = typeof change.url === 'string' ? await registrableUrl(this.destinations, change.url) : undefined;
    await this.sealer.seal();
    return this.transactions.run(async (manager) => {
      const { webhook, judged } = await lockWebhook(manager, id, context);
      const wanted = {
        url: url ?? webhook.url,
        events: distinct(change.events ?? webhook.events),
        enabled: change.enabled ?? webhook.enabled,
        contentType: change.contentType ?? webhook.contentType,
      };
      const { url: address, events, enabled, contentType } = webhook;
      if (isDeepStrictEqual(wanted, { url: address, events, enabled, contentType })) return toWebhook(webhook);
      const disabledReason = wanted.enabled ? null : (webhook.disabledReason ?? 'administrator');
      await makeOwed(manager, id);
      const changed = await updateWebhook(manager, id, { ...wanted, disabledReason });
      if (changed.enabled && !webhook.enabled) await oweFromNow(manager, id);
      if (changed.enabled) await tryAtOnce(manager, id);
      await this.journal.append(manager, judged, [
        WEBHOOK_ACTIONS.entry('webhook.updated', { before: factsOf(webhook), after: factsOf(changed) }),
      ]);
      return toWebhook(changed);
    });
  }
}

/** Deliveries that failed before may succeed now, so all pending ones become due. */
async function tryAtOnce(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    `UPDATE webhook_deliveries SET next_attempt_at = '-infinity'
     WHERE subscription_id = $1 AND state = 'pending' AND lease IS NULL AND next_attempt_at > now()`,
    [id],
  );
}
