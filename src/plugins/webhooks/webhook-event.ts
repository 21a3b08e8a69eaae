import { CHANGE_COLUMNS, type ChangeRow, toldFacts } from '../door';
import type { WebhookEvent } from './webhook-types';
import { type DeliveryKey, deliveryId } from './delivery-id';

/** The user of an event, for a query that joins `delivery` with its `change` in the journal. */
export const EVENT_USER =
  'COALESCE(change.user_ids[delivery.entry_id - change.position + 1], change.user_id) AS user_id';

/** The change of a delivery, for such a query. */
export const JOIN_CHANGE = 'JOIN journal_changes AS change ON change.position = delivery.change_position';

/** The columns of an event, for a query that has {@link JOIN_PERSONAL} as well. */
export const EVENT_COLUMNS = `${CHANGE_COLUMNS}, ${EVENT_USER}`;

export interface EventRow extends ChangeRow {
  user_id: string | null;
}

/**
 * The event that a webhook receives. Each attempt builds it from the immutable journal entry, so all attempts send the
 * same event.
 */
export function webhookEvent(delivery: DeliveryKey, entry: EventRow): WebhookEvent {
  const subject = entry.user_id ?? entry.workspace_ids[0];
  return {
    specversion: '1.0',
    id: deliveryId(delivery),
    source: '/user-administration',
    type: entry.action,
    ...(subject !== undefined && { subject }),
    time: entry.at.toISOString(),
    ...(entry.traceparent !== null && { traceparent: entry.traceparent }),
    datacontenttype: 'application/json',
    data: {
      entry: delivery.entryId,
      user: entry.user_id,
      workspaces: entry.workspace_ids,
      ...toldFacts(entry),
      actor: { kind: entry.actor_kind, id: entry.actor_id },
      grantedBy: entry.granted_by,
      reason: entry.reason,
      requestId: entry.request_id,
    },
  };
}
