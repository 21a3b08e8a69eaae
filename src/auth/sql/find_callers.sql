-- Finds the users who call, as they are at the moment: an account that has ended is inactive, and an administrator by a
-- membership that has ended is none, even if nothing has carried that out yet.
--
-- Every request calls this. The settings make PostgreSQL plan it once for each connection, with indexes: it would plan
-- a query over an array for every request, which took more than half of its time. Of ends of memberships, only
-- administrators and readers are asked.
--
-- Locks: nothing.
-- Returns one row for each known id. `may_read` is whether a user who is no administrator effectively holds the
-- permission.
CREATE OR REPLACE FUNCTION find_callers(ids text[], permission text)
RETURNS TABLE (key bigint, id text, status user_status, is_administrator boolean, may_read boolean)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT key, id::text,
    CASE WHEN has_ended(active_until, end_refused_at) AND NOT is_administrator THEN 'inactive' ELSE status END,
    is_administrator, NOT is_administrator AND holds_permission(key, permission)
  FROM users CROSS JOIN LATERAL (
    SELECT type = 'administrator' AND administers(key, status, active_until, end_refused_at, ends_clock())
      AS is_administrator OFFSET 0
  ) AS judged
  WHERE id = ANY (ids);
END $$;
