import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { Attribution } from '../contract/attribution';
import { ServiceError } from '../contract/errors';
import type { WebhookRow } from './webhook-row';
import { findWebhook } from './webhooks-reader';

/**
 * Locks a webhook until the transaction ends, and then judges the caller who wants to change it.
 *
 * @throws ServiceError `webhook.unknown`
 */
export async function lockWebhook(
  manager: EntityManager,
  id: string,
  attribution: Attribution,
): Promise<{ webhook: WebhookRow; judged: Judged }> {
  const webhook = await findWebhook(manager, id, 'FOR UPDATE');
  const judged = await judgeCaller(manager, attribution);
  if (!webhook) throw new ServiceError('webhook.unknown');
  return { webhook, judged };
}
