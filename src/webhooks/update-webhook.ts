import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { UPDATED_NOW } from '../records/changed-fields';
import { WebhookSubscription } from './webhook-subscription.entity';

/** Writes these fields of a locked webhook. @returns the webhook as it is now */
export async function updateWebhook(
  manager: EntityManager,
  id: string,
  fields: QueryDeepPartialEntity<WebhookSubscription>,
): Promise<WebhookSubscription> {
  await manager.update(WebhookSubscription, id, { ...fields, ...UPDATED_NOW });
  return manager.findOneByOrFail(WebhookSubscription, { id });
}
