import type { WebhookEvent, WebhookEventType } from '../contract/webhooks';
import type { EntryRow } from '../journal/journal-reader';
import { type DeliveryKey, deliveryId } from './delivery-id';

/** The columns of an entry of the journal that an event tells, for a query in which it is called `entry`. */
export const EVENT_COLUMNS = `entry.at, entry.action, entry.actor_kind, entry.actor_id, entry.granted_by, entry.user_id,
  entry.workspace_ids, entry.before, entry.after, entry.reason, entry.request_id`;

export interface EventRow extends EntryRow {
  action: WebhookEventType;
}

/** What a webhook is told. Made anew for each try from an entry that never changes, so all tries tell the same. */
export function webhookEvent(delivery: DeliveryKey, entry: EventRow): WebhookEvent {
  const subject = entry.user_id ?? entry.workspace_ids[0];
  return {
    specversion: '1.0',
    id: deliveryId(delivery),
    source: '/user-administration',
    type: entry.action,
    ...(subject !== undefined && { subject }),
    time: entry.at.toISOString(),
    datacontenttype: 'application/json',
    data: {
      entry: delivery.entryId,
      user: entry.user_id,
      workspaces: entry.workspace_ids,
      before: entry.before,
      after: entry.after,
      actor: { kind: entry.actor_kind, id: entry.actor_id },
      grantedBy: entry.granted_by,
      reason: entry.reason,
      requestId: entry.request_id,
    },
  };
}
