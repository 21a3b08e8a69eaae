-- Whether a user of the type administrator is an active administrator at `moment`: the access has not ended, or this is
-- the one who stays (see kept_administrator).
--
-- Nearly every administrator has no end that has passed. That costs a look into two indexes that hold nothing but ends.
--
-- Locks: nothing.
-- Returns true or false.
CREATE OR REPLACE FUNCTION administers(
  user_key bigint, status user_status, active_until timestamptz, end_refused_at timestamptz, moment timestamptz
) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF status <> 'active' THEN
    RETURN false;
  END IF;
  -- The order makes PostgreSQL take the index of ends, also with a plan from when the tables were empty.
  IF (active_until <= moment) IS NOT TRUE AND (
    SELECT ends_at FROM workspace_memberships AS m WHERE m.user_key = $1 AND ends_at <= moment ORDER BY ends_at LIMIT 1
  ) IS NULL AND (
    SELECT ends_at FROM group_memberships AS m WHERE m.user_key = $1 AND ends_at <= moment ORDER BY ends_at LIMIT 1
  ) IS NULL THEN
    RETURN true;
  END IF;
  RETURN administers_until(user_key, active_until, end_refused_at, moment, false) = 'infinity'
    OR kept_administrator(moment) IS NOT DISTINCT FROM user_key;
END $$;
