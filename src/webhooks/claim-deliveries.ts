import type { WebhookContentType } from '../contract/webhooks';
import { prepared } from '../database/prepared-statements';
import type { Transactions } from '../database/transactions';
import { JOIN_PERSONAL } from '../journal/change-row';
import type { DeliveryKey } from './delivery-id';
import type { DeliveryPolicy } from './delivery-policy';
import { EVENT_COLUMNS, type EventRow, JOIN_CHANGE } from './webhook-event';

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
}

/**
 * One statement with SKIP LOCKED, so that concurrent processes share the work without waiting for each other.
 *
 * Events about one user reach a webhook in the order of their entries. A delivery with an earlier unfinished delivery
 * (its blocker) is not claimed. Instead its state becomes `waiting`, so that later polls skip a long backlog of a
 * receiver that is down. The state changes only if this statement has locked the blocker: the process that ends the
 * blocker wakes its waiting deliveries, and it cannot end the blocker between this read and this write. If the blocker
 * has ended or is locked by another process, the next poll decides.
 *
 * The inner limit is a plain number, so that PostgreSQL knows that little is read. With a limit that differs between
 * webhooks, PostgreSQL takes the query for a huge one and compiles it each time, which takes a hundred times as long as
 * running it.
 *
 * This read can be out of date when the locks are taken, which does no harm: deliveries are made in the order of the
 * journal, so no blocker can appear after the delivery that it blocks, and a blocker that has ended blocks for one
 * poll too long.
 */
const CLAIM = prepared(
  'claim_deliveries',
  `
  WITH due AS MATERIALIZED (
    SELECT subscription_id, entry_id, blocker FROM (
      SELECT candidate.*, $2 - COALESCE(($3::jsonb ->> subscription.id)::integer, 0) AS room,
        row_number() OVER (PARTITION BY candidate.subscription_id ORDER BY next_attempt_at, entry_id) AS place
      FROM webhook_subscriptions AS subscription
      CROSS JOIN LATERAL (
        SELECT subscription_id, entry_id, next_attempt_at, CASE WHEN NOT replay THEN (
          SELECT max(earlier.entry_id) FROM webhook_deliveries AS earlier
          WHERE earlier.subscription_id = delivery.subscription_id AND earlier.subject = delivery.subject
            AND earlier.entry_id < delivery.entry_id AND earlier.state IN ('pending', 'waiting') AND NOT earlier.replay
        ) END AS blocker
        FROM webhook_deliveries AS delivery
        WHERE subscription_id = subscription.id AND state = 'pending' AND next_attempt_at <= now()
        ORDER BY next_attempt_at, entry_id LIMIT $2
        FOR UPDATE SKIP LOCKED
      ) AS candidate
      WHERE subscription.enabled AND COALESCE(($3::jsonb ->> subscription.id)::integer, 0) < $2
    ) AS ranked
    WHERE place <= room ORDER BY next_attempt_at, entry_id LIMIT $1
  ), held AS MATERIALIZED (
    SELECT subscription_id, entry_id FROM webhook_deliveries
    WHERE (subscription_id, entry_id) IN (SELECT subscription_id, blocker FROM due WHERE blocker IS NOT NULL)
      AND state IN ('pending', 'waiting') AND NOT replay
    FOR UPDATE SKIP LOCKED
  ), moved AS (
    UPDATE webhook_deliveries AS delivery SET
      state = CASE WHEN blocker IS NULL THEN 'pending' ELSE 'waiting' END,
      lease = CASE WHEN blocker IS NULL THEN gen_random_uuid() END,
      attempts = attempts + (blocker IS NULL)::integer,
      last_attempt_at = CASE WHEN blocker IS NULL THEN now() ELSE last_attempt_at END,
      next_attempt_at = CASE WHEN blocker IS NULL THEN now() + $4 * interval '1 ms' ELSE delivery.next_attempt_at END
    FROM due
    WHERE delivery.subscription_id = due.subscription_id AND delivery.entry_id = due.entry_id
      AND (blocker IS NULL OR (due.subscription_id, blocker) IN (SELECT subscription_id, entry_id FROM held))
    RETURNING delivery.*
  )
  SELECT delivery.subscription_id, delivery.entry_id, delivery.lease, delivery.attempts, subscription.url, subscription.content_type,
    (extract(epoch FROM now() - delivery.asked_at) * 1000)::float8 AS age_ms,
    CASE WHEN subscription.previous_secret_expires_at > now() THEN ARRAY[secret, previous_secret] ELSE ARRAY[secret] END
      AS secrets, ${EVENT_COLUMNS}
  FROM moved AS delivery
  JOIN webhook_subscriptions AS subscription ON subscription.id = delivery.subscription_id
  ${JOIN_CHANGE} ${JOIN_PERSONAL}
  ORDER BY delivery.entry_id`,
);

/** Runs first, because it is cheap and most directories have no webhook. */
const ANY_ENABLED = prepared('any_webhook', 'SELECT FROM webhook_subscriptions WHERE enabled LIMIT 1');

/** Reads a slice of the journal for the webhook that is furthest behind. */
const EXPAND = prepared('expand_deliveries', 'SELECT expand_deliveries(NULL) AS expanded');

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
 * Makes deliveries of what is new in the journal, for one webhook. Then it claims due deliveries, up to the free capacity of each webhook, and writes the lease of each: after it ends, another process may
 * attempt the delivery.
 *
 * @param inFlight the number of attempts that this process is making, by webhook
 */
export async function claimDeliveries(
  transactions: Transactions,
  policy: DeliveryPolicy,
  inFlight: ReadonlyMap<string, number>,
): Promise<Claim> {
  const counts = JSON.stringify(Object.fromEntries(inFlight));
  const parameters = [policy.claimedAtOnce, policy.concurrencyPerWebhook, counts, policy.leaseMs];
  return transactions.call(async (sender) => {
    const enabled = await sender.query<unknown[]>(ANY_ENABLED);
    const hasWebhooks = enabled.length > 0;
    if (!hasWebhooks) return { deliveries: [], more: false, hasWebhooks };
    const [{ expanded }] = await sender.query<[{ expanded: boolean }]>(EXPAND);
    const rows = await sender.query<ClaimRow[]>(CLAIM, parameters);
    return { deliveries: rows.flatMap(claimed), more: expanded || rows.length > 0, hasWebhooks };
  });
}

function claimed(row: ClaimRow): ClaimedDelivery[] {
  const { subscription_id: subscriptionId, entry_id: entryId, lease, attempts, url, content_type: contentType } = row;
  if (lease === null) return [];
  const { age_ms: ageMs, secrets } = row;
  return [{ subscriptionId, entryId, lease, attempts, ageMs, url, contentType, secrets, event: row }];
}
