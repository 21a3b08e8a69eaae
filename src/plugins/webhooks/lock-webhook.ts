import type { EntityManager } from 'typeorm';
import { type Attribution, isIdentifier, judgeCaller, type Judged } from '../door';
import { type Preconditions, requirePreconditions } from '../../answers/etag';
import { toWebhook } from './webhook-body';
import { WebhookSubscription } from './webhook-subscription.entity';
import { WEBHOOK_ERRORS } from './errors';

/**
 * Locks a webhook until the transaction ends, and then refuses the request in the same order, as `lockForChange` does.
 *
 * @throws what `judgeCaller` throws, ServiceError `webhook.unknown`, `record.changed`
 */
export async function lockWebhook(
  manager: EntityManager,
  id: string,
  context: Attribution & Preconditions,
): Promise<{ webhook: WebhookSubscription; judged: Judged }> {
  const lock = { mode: 'pessimistic_write' } as const;
  const webhook = isIdentifier(id) ? await manager.findOne(WebhookSubscription, { where: { id }, lock }) : null;
  const judged = await judgeCaller(manager, context);
  if (!webhook) throw WEBHOOK_ERRORS.refusal('webhook.unknown');
  requirePreconditions(context, toWebhook(webhook));
  return { webhook, judged };
}
