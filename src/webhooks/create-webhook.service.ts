import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { judgeCaller } from '../auth/judge-caller';
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import type { WebhookWithSecret } from '../contract/webhooks';
import { type IdempotentUnit, Transactions } from '../database/transactions';
import type { Attribution } from '../contract/attribution';
import { Journal } from '../journal/journal';
import { Destinations } from './destinations';
import type { CreateWebhookDto } from './dto/create-webhook.dto';
import { distinct } from './dto/event-list.decorator';
import { registrableUrl } from './registrable-url';
import { makeSecret } from './signature';
import { factsOf, toWebhook, WEBHOOK_COLUMNS, type WebhookRow } from './webhook-row';

/** Registers a webhook. It is told of every change that begins after that. */
@Injectable()
export class CreateWebhookService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
    private readonly destinations: Destinations,
  ) {}

  async execute(
    { url, events }: CreateWebhookDto,
    attribution: Attribution,
    unit?: IdempotentUnit,
  ): Promise<WebhookWithSecret> {
    const address = await registrableUrl(this.destinations, url);
    const secret = makeSecret();
    return this.transactions.run(async (manager) => {
      await takeTurn(manager);
      const judged = await judgeCaller(manager, attribution);
      await refuseTooMany(manager);
      const [row] = (await manager.query(
        `INSERT INTO webhook_subscriptions (id, url, events, secret) VALUES ($1, $2, $3, $4) RETURNING ${WEBHOOK_COLUMNS}`,
        [uuidv7(), address, distinct(events), secret],
      )) as [WebhookRow];
      await this.journal.append(manager, judged, [{ action: 'webhook.created', after: factsOf(row) }]);
      return { ...toWebhook(row), secret };
    }, unit);
  }
}

/** Callers that register a webhook take turns, so that no two of them take the last place. Readers do not wait. */
async function takeTurn(manager: EntityManager): Promise<void> {
  await manager.query('LOCK TABLE webhook_subscriptions IN SHARE ROW EXCLUSIVE MODE');
}

async function refuseTooMany(manager: EntityManager): Promise<void> {
  const [row] = (await manager.query('SELECT count(*)::integer AS count FROM webhook_subscriptions')) as [
    { count: number },
  ];
  if (row.count >= LIMITS.webhooks) throw new ServiceError('webhook.too_many', { args: { max: LIMITS.webhooks } });
}
