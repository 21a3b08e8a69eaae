import type { Transactions } from '../door';
import type { WebhookContentType } from './webhook-types';
import { prepared } from '@user-administration/postgres';
import type { DeliveryKey } from './delivery-id';
import type { DeliveryPolicy } from './delivery-policy';
import { EVENT_COLUMNS, type EventRow } from './webhook-event';

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery extends DeliveryKey {
  lease: string;
  /** Includes the coming attempt. */
  attempts: number;
  ageMs: number;
  url: string;
  contentType: WebhookContentType;
  /** The current secret, and for a while the previous one. */
  secrets: string[];
  event: EventRow;
}

interface Claim {
  deliveries: ClaimedDelivery[];
  /** Whether more deliveries may be due. */
  more: boolean;
  /** Whether any webhook is enabled. */
  hasWebhooks: boolean;
  /** The webhook for which the journal was read. */
  expanded: string | null;
}

/** See `sql/claim_deliveries.sql`. */
const CLAIM = prepared(
  'claim_deliveries',
  `SELECT delivery.subscription_id, delivery.entry_id, lease, attempts, url, content_type, age_ms, secrets,
  ${EVENT_COLUMNS}
   FROM claim_deliveries($1, $2, $3, $4) AS delivery
   CROSS JOIN LATERAL (SELECT (delivery.change).*) AS change CROSS
   JOIN LATERAL (SELECT (delivery.personal).*) AS personal
   ORDER BY delivery.entry_id`,
);

/** Runs first, because it is cheap and most directories have no webhook. */
const ANY_ENABLED = prepared('any_webhook', 'SELECT FROM webhook_subscriptions WHERE enabled LIMIT 1');

/** Reads a slice of the journal for the next webhook in rotation. */
const EXPAND = prepared('expand_next_webhook', 'SELECT expand_next_webhook($1) AS expanded');

interface ClaimRow extends EventRow {
  subscription_id: string;
  entry_id: string;
  lease: string | null;
  attempts: number;
  url: string;
  content_type: WebhookContentType;
  age_ms: number;
  secrets: string[];
}

/**
 * Makes deliveries of what is new in the journal, for one webhook. Then it claims due deliveries, up to the free
 * capacity of each webhook, and writes the lease of each: after it ends, another process may attempt the delivery.
 *
 * @param inFlight the number of attempts that this process is making, by webhook
 * @param last the webhook of the call before
 */
export async function claimDeliveries(
  transactions: Transactions,
  policy: DeliveryPolicy,
  inFlight: ReadonlyMap<string, number>,
  last: string,
): Promise<Claim> {
  const counts = JSON.stringify(Object.fromEntries(inFlight));
  const parameters = [policy.claimedAtOnce, policy.concurrencyPerWebhook, counts, policy.leaseMs];
  return transactions.call(async (sender) => {
    const enabled = await sender.query<unknown[]>(ANY_ENABLED);
    const hasWebhooks = enabled.length > 0;
    if (!hasWebhooks) return { deliveries: [], more: false, hasWebhooks, expanded: null };
    const [{ expanded }] = await sender.query<[{ expanded: string | null }]>(EXPAND, [last]);
    const rows = await sender.query<ClaimRow[]>(CLAIM, parameters);
    return { deliveries: rows.flatMap(claimed), more: expanded !== null || rows.length > 0, hasWebhooks, expanded };
  });
}

function claimed(row: ClaimRow): ClaimedDelivery[] {
  const { subscription_id: subscriptionId, entry_id: entryId, lease, attempts, url, content_type: contentType } = row;
  if (lease === null) return [];
  const { age_ms: ageMs, secrets } = row;
  return [{ subscriptionId, entryId, lease, attempts, ageMs, url, contentType, secrets, event: row }];
}
