-- Who stays an active administrator although the access of all of them has ended at `moment`. An end that would leave
-- no active administrator has not passed, from its first moment on, even if nothing has noted that yet. Of several, the
-- one whose access ended last stays, then the greater id: nobody has been told before that the access of this one has
-- ended. Every change that removes administrators preserves this: see require_administrator.
--
-- With the moment `infinity`, it tells who would stay in the end, if nothing changed.
--
-- Locks: nothing.
-- Returns the key; null if there is an administrator whose access has not ended, or none at all.
CREATE OR REPLACE FUNCTION kept_administrator(moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  IF is_administered(moment, false) THEN
    RETURN NULL;
  END IF;
  RETURN (
    SELECT key FROM users WHERE type = 'administrator' AND status = 'active'
    ORDER BY administers_until(key, active_until, end_refused_at, moment, false) DESC, id DESC LIMIT 1
  );
END $$;
