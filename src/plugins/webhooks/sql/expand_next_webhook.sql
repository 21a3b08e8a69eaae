-- Reads a slice of the journal for one webhook, in rotation: `last` is the webhook of the call before. A webhook whose
-- receiver does not keep up is skipped while 1,000 of its deliveries are pending, so its backlog does not delay the
-- others.
--
-- Locks: the position of the webhook, unless another process reads for it; then those of `expand_deliveries`.
-- Returns the webhook, or null if there was nothing to read for any.
CREATE OR REPLACE FUNCTION expand_next_webhook(last text) RETURNS text
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
  head CONSTANT bigint := (SELECT position FROM journal_head);
  most CONSTANT integer := 1000;
  webhook text;
BEGIN
  SELECT p.subscription_id INTO webhook FROM webhook_positions AS p JOIN webhook_subscriptions AS s
    ON s.id = p.subscription_id
  WHERE s.enabled AND p.position < head AND (
    SELECT count(*) FROM (
      SELECT FROM webhook_deliveries AS d WHERE d.subscription_id = p.subscription_id
        AND d.state IN ('pending', 'waiting')
      ORDER BY d.asked_at LIMIT most
    ) AS pending
  ) < most
  ORDER BY p.subscription_id <= last, p.subscription_id LIMIT 1 FOR UPDATE OF p SKIP LOCKED;
  IF webhook IS NOT NULL THEN
    PERFORM expand_deliveries(webhook);
  END IF;
  RETURN webhook;
END $$;
