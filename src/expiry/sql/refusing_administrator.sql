-- Whose access cannot end now, because it would leave no active administrator: kept_administrator, and if all that is
-- left are ends that were refused and are due again, one of these users, by the same rule.
--
-- Locks: nothing. The caller holds the administrator guard.
-- Returns the key, or null.
CREATE OR REPLACE FUNCTION refusing_administrator() RETURNS bigint
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  moment CONSTANT timestamptz := ends_clock();
BEGIN
  IF is_administered(moment, true) THEN
    RETURN NULL;
  END IF;
  RETURN COALESCE(kept_administrator(moment), (
    SELECT key FROM users WHERE type = 'administrator' AND status = 'active'
      AND administers_until(key, active_until, end_refused_at, moment, false) = 'infinity'
    ORDER BY administers_until(key, active_until, end_refused_at, moment, true) DESC, id DESC LIMIT 1
  ));
END $$;
