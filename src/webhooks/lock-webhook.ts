import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { Attribution } from '../contract/attribution';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { WebhookSubscription } from './webhook-subscription.entity';

/**
 * Locks a webhook until the transaction ends, and then judges the caller.
 *
 * @throws ServiceError `webhook.unknown`
 */
export async function lockWebhook(
  manager: EntityManager,
  id: string,
  attribution: Attribution,
): Promise<{ webhook: WebhookSubscription; judged: Judged }> {
  const lock = { mode: 'pessimistic_write' } as const;
  const webhook = isIdentifier(id) ? await manager.findOne(WebhookSubscription, { where: { id }, lock }) : null;
  const judged = await judgeCaller(manager, attribution);
  if (!webhook) throw new ServiceError('webhook.unknown');
  return { webhook, judged };
}
