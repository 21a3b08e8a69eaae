-- Reads a slice of the journal for a webhook, and makes a delivery of each entry that it subscribes to: up to 1,000
-- changes, and 1,000 deliveries unless a single change has more. The position of the webhook moves with them, so each
-- entry is read once.
--
-- A change of the terms of a webhook first calls this until it returns false, so that the webhook still receives what
-- it is owed by the old terms.
--
-- Deliveries about a user that gets another id wait for each other under the new one, so that they keep their order.
--
-- Deliveries are made in the order of the journal, in which entries of one user have the order of the changes. They are
-- as old as their changes, however late they are made.
--
-- Locks: the position of the webhook, and the deliveries about a renamed user.
-- Returns whether there was something to read.
CREATE OR REPLACE FUNCTION expand_deliveries(webhook text) RETURNS boolean
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
  most CONSTANT integer := 1000;
  head CONSTANT bigint := (SELECT position FROM journal_head);
  reader webhook_positions;
  wanted text[];
  reached bigint;
  renamed record;
BEGIN
  SELECT * INTO reader FROM webhook_positions WHERE subscription_id = webhook FOR UPDATE;
  -- As they are now that the position is locked.
  SELECT events INTO wanted FROM webhook_subscriptions WHERE id = reader.subscription_id AND enabled
    AND reader.position < head;
  IF NOT FOUND THEN
    RETURN false;
  END IF;

  WITH slice AS MATERIALIZED (
    SELECT *, sum(deliveries) OVER (ORDER BY position) - deliveries AS made_before
    FROM (
      SELECT position, entries, CASE WHEN action = ANY (wanted) THEN entries ELSE 0 END AS deliveries
        FROM journal_changes
      WHERE position > reader.position AND position <= head ORDER BY position LIMIT most
    ) AS next
  ), made AS (
    INSERT INTO webhook_deliveries (subscription_id, entry_id, change_position, subject, created_at, asked_at)
    SELECT reader.subscription_id, position + nth, position,
      COALESCE(c.user_ids[nth + 1], c.user_id, c.workspace_id, ''), c.at, c.at
    FROM slice JOIN journal_changes AS c USING (position) CROSS JOIN generate_series(0, c.entries - 1) AS nth
    WHERE deliveries > 0 AND made_before < most
  )
  UPDATE webhook_positions SET position = COALESCE(
    (SELECT max(position + entries - 1) FROM slice WHERE made_before < most), head
  ) WHERE subscription_id = reader.subscription_id RETURNING position INTO reached;
  FOR renamed IN
    SELECT position, before ->> 'id' AS old_id, after ->> 'id' AS new_id FROM journal_changes
    WHERE action = 'user.renamed' AND position > reader.position AND position <= reached ORDER BY position
  LOOP
    UPDATE webhook_deliveries SET subject = renamed.new_id
    WHERE subscription_id = reader.subscription_id AND subject = renamed.old_id AND entry_id <= renamed.position
      AND state IN ('pending', 'waiting') AND NOT replay;
  END LOOP;
  RETURN true;
END $$;
