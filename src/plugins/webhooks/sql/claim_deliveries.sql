-- Claims due deliveries, so that this process alone attempts them until their leases end: at most `most` in all, and of
-- each webhook as many as `concurrency` permits beside those `in_flight`, which are counted by webhook. Concurrent
-- processes share the work without waiting for each other.
--
-- Events about one user reach a webhook in the order of their entries. A delivery with an earlier unfinished delivery
-- (its blocker) is not claimed. Instead its state becomes `waiting`, so that later polls skip a long backlog of a
-- receiver that is down. The state changes only if this statement has locked the blocker: the process that ends the
-- blocker wakes its waiting deliveries, and it cannot end the blocker between this read and this write. If the blocker
-- has ended or is locked by another process, the next poll decides.
--
-- This read can be out of date when the locks are taken, which does no harm: deliveries are made in the order of the
-- journal, so no blocker can appear after the delivery that it blocks, and a blocker that has ended blocks for one poll
-- too long.
--
-- The plan must not depend on statistics: thousands of deliveries can be made in a second, long before anybody analyzes
-- the table. So each table is read by an index, in the order of the index that finds least. The inner limit is the same
-- for all webhooks, because PostgreSQL would take a query with a limit that differs for a huge one.
--
-- Locks: the deliveries, and the blockers, each unless another process has locked it.
-- Returns each delivery that was looked at: its lease is null if it was not claimed.
CREATE OR REPLACE FUNCTION claim_deliveries(most integer, concurrency integer, in_flight jsonb, lease_ms integer)
  RETURNS TABLE (
  subscription_id text, entry_id bigint, lease uuid, attempts integer, url text, content_type text,
    age_ms double precision, secrets text[],
  change journal_changes, personal journal_personal
) LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH due AS MATERIALIZED (
    SELECT subscription_id, entry_id, blocker FROM (
      SELECT candidate.*, concurrency - COALESCE((in_flight ->> subscription.id)::integer, 0) AS room,
        row_number() OVER (PARTITION BY candidate.subscription_id ORDER BY next_attempt_at, entry_id) AS place
      FROM webhook_subscriptions AS subscription
      CROSS JOIN LATERAL (
        SELECT subscription_id, entry_id, next_attempt_at, CASE WHEN NOT replay THEN (
          SELECT earlier.entry_id FROM webhook_deliveries AS earlier
          WHERE earlier.subscription_id = delivery.subscription_id
            AND earlier.subject >= delivery.subject
              AND (earlier.subject, earlier.entry_id) < (delivery.subject, delivery.entry_id)
            AND earlier.state IN ('pending', 'waiting') AND NOT earlier.replay
          ORDER BY earlier.subject DESC, earlier.entry_id DESC LIMIT 1
        ) END AS blocker
        FROM webhook_deliveries AS delivery
        WHERE subscription_id = subscription.id AND state = 'pending' AND next_attempt_at <= now()
        ORDER BY next_attempt_at, entry_id LIMIT concurrency
        FOR UPDATE SKIP LOCKED
      ) AS candidate
      WHERE subscription.enabled AND COALESCE((in_flight ->> subscription.id)::integer, 0) < concurrency
    ) AS ranked
    WHERE place <= room ORDER BY next_attempt_at, entry_id LIMIT most
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
      next_attempt_at = CASE WHEN blocker IS NULL THEN now() + lease_ms * interval '1 ms'
        ELSE delivery.next_attempt_at END
    FROM due
    WHERE delivery.subscription_id = due.subscription_id AND delivery.entry_id = due.entry_id
      AND (blocker IS NULL OR (due.subscription_id, blocker) IN (SELECT subscription_id, entry_id FROM held))
    RETURNING delivery.*
  )
  SELECT delivery.subscription_id, delivery.entry_id, delivery.lease, delivery.attempts, subscription.url,
    subscription.content_type,
    (extract(epoch FROM now() - delivery.asked_at) * 1000)::float8,
    CASE WHEN subscription.previous_secret_expires_at > now() THEN ARRAY[secret, previous_secret]
      ELSE ARRAY[secret] END,
    change, kept
  FROM moved AS delivery
  JOIN webhook_subscriptions AS subscription ON subscription.id = delivery.subscription_id
  JOIN journal_changes AS change ON change.position = delivery.change_position
  LEFT JOIN journal_personal AS kept ON change.personal IS NOT NULL AND kept.position = change.position;
END $$;
