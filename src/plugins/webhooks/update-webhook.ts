import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { WebhookSubscription } from './webhook-subscription.entity';

/**
 * `updatedAt` always grows, also if the clock was set back: of the `ETag`, a new secret changes nothing else.
 */
const UPDATED_LATER = { updatedAt: () => `GREATEST(now(), updated_at + interval '1 millisecond')` };

/** Writes these fields of a locked webhook. @returns the webhook as it is now */
export async function updateWebhook(
  manager: EntityManager,
  id: string,
  fields: QueryDeepPartialEntity<WebhookSubscription>,
): Promise<WebhookSubscription> {
  await manager.update(WebhookSubscription, id, { ...fields, ...UPDATED_LATER });
  return manager.findOneByOrFail(WebhookSubscription, { id });
}
