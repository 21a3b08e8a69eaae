-- Whether the directory has an active administrator at `moment`, without anybody whose access has ended by then.
--
-- Nearly always the first administrator of the index is one.
--
-- Locks: nothing.
-- Returns true or false.
CREATE OR REPLACE FUNCTION is_administered(moment timestamptz, only_fresh boolean) RETURNS boolean
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN EXISTS (
    SELECT FROM users WHERE type = 'administrator' AND status = 'active'
      AND administers_until(key, active_until, end_refused_at, moment, only_fresh) = 'infinity');
END $$;
