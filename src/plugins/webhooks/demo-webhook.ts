import type { EntityManager } from 'typeorm';
import { type Attribution, Journal, judgeCaller } from '../door';
import { deliveryId } from './delivery-id';
import { oweFromNow } from './owed-deliveries';
import { makeSecret } from './signature';
import { factsOf } from './webhook-body';
import { WebhookSubscription } from './webhook-subscription.entity';
import { WEBHOOK_ACTIONS } from './actions';

/** Fixed ids, so that the examples of the documentation work. */
export const DEMO_WEBHOOK = '01a1f88a-7041-7712-bacb-000000000001';
/** The subject of the single delivery, and its entry: the creation of this user. */
const SUBJECT = 'dee';
const ENTRY = '24';
export const DEMO_DELIVERY = deliveryId({ subscriptionId: DEMO_WEBHOOK, entryId: ENTRY });

/** Adds a disabled webhook with one finished delivery to the demo directory, unless it exists. */
export async function loadDemoWebhook(manager: EntityManager, attribution: Attribution): Promise<void> {
  if (await manager.existsBy(WebhookSubscription, { id: DEMO_WEBHOOK })) return;
  const webhook = manager.create(WebhookSubscription, {
    id: DEMO_WEBHOOK,
    url: 'https://hooks.example/users',
    events: ['user.created', 'user.status.changed'],
    enabled: false,
    disabledReason: 'administrator',
    contentType: 'application/cloudevents+json',
    secret: makeSecret(),
  });
  await manager.insert(WebhookSubscription, webhook);
  const judged = await judgeCaller(manager, attribution);
  await new Journal().append(manager, judged, [WEBHOOK_ACTIONS.entry('webhook.created', { after: factsOf(webhook) })]);
  // Sealed here, and with the positions of the first month, so that the ids of its entries are always the same.
  await manager.query('SELECT seal_journal(true, 0)');
  await oweFromNow(manager, webhook.id);
  await manager.query(
    `INSERT INTO webhook_deliveries (
       subscription_id, entry_id, change_position, subject, state, attempts, last_attempt_at, last_status, finished_at)
     SELECT $1, position, position, user_id, 'delivered', 1, now(), 204, now() FROM journal_changes
     WHERE action = 'user.created' AND user_id = $2 ORDER BY position DESC LIMIT 1`,
    [DEMO_WEBHOOK, SUBJECT],
  );
}
