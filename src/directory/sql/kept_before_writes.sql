-- Who would stay an administrator in the end, for require_administrator, if a change can take the type or the status of
-- an active administrator at all. Call it after the locks of these users, and before the first write.
--
-- Locks: nothing.
-- Returns the key, or null.
CREATE OR REPLACE FUNCTION kept_before_writes(user_keys bigint[]) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF EXISTS (SELECT FROM users WHERE key = ANY (user_keys) AND type = 'administrator' AND status = 'active') THEN
    RETURN kept_administrator('infinity');
  END IF;
  RETURN NULL;
END $$;
