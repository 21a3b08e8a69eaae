import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type ChangeContext, Journal, judgeCaller, Sealer, Transactions } from '../door';
import { WEBHOOK_CONTENT_TYPES } from './webhook-types';
import { Destinations } from './destinations';
import type { CreateWebhookDto } from './dto/create-webhook.dto';
import { distinct } from './dto/event-list.decorator';
import type { WebhookWithSecretDto } from './dto/webhook.dto';
import { oweFromNow } from './owed-deliveries';
import { registrableUrl } from './registrable-url';
import { makeSecret } from './signature';
import { factsOf, toWebhook } from './webhook-body';
import { WebhookSubscription } from './webhook-subscription.entity';
import { WEBHOOK_ERRORS } from './errors';
import { WEBHOOK_LIMITS } from './limits';
import { WEBHOOK_ACTIONS } from './actions';

/** The key of an advisory lock: webhooks are registered one after the other, in all processes. */
const REGISTRATION_LOCK = 7_225_108_021;

/**
 * Registers a webhook. If enabled, it receives every change that is sealed afterwards: what was answered before is
 * sealed first.
 */
@Injectable()
export class CreateWebhookService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
    private readonly destinations: Destinations,
    private readonly sealer: Sealer,
  ) {}

  async execute(body: CreateWebhookDto, context: ChangeContext): Promise<WebhookWithSecretDto> {
    const url = await registrableUrl(this.destinations, body.url);
    const enabled = body.enabled ?? true;
    const secret = body.secret ?? makeSecret();
    await this.sealer.seal();
    return this.transactions.run(async (manager) => {
      await lockRegistrations(manager);
      const judged = await judgeCaller(manager, context);
      await refuseTooMany(manager);
      const webhook = manager.create(WebhookSubscription, {
        id: uuidv7(),
        url,
        events: distinct(body.events),
        enabled,
        disabledReason: enabled ? null : 'administrator',
        contentType: body.contentType ?? WEBHOOK_CONTENT_TYPES[0],
        secret,
      });
      await manager.insert(WebhookSubscription, webhook);
      await oweFromNow(manager, webhook.id);
      await this.journal.append(manager, judged, [
        WEBHOOK_ACTIONS.entry('webhook.created', { after: factsOf(webhook) }),
      ]);
      return { ...toWebhook(webhook), secret };
    }, context.unit);
  }
}

/** Serializes registrations, so that two of them cannot both take the last place. No other writer waits. */
async function lockRegistrations(manager: EntityManager): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(${REGISTRATION_LOCK})`);
}

async function refuseTooMany(manager: EntityManager): Promise<void> {
  const count = await manager.count(WebhookSubscription);
  if (count >= WEBHOOK_LIMITS.webhooks)
    throw WEBHOOK_ERRORS.refusal('webhook.too_many', { args: { max: WEBHOOK_LIMITS.webhooks } });
}
