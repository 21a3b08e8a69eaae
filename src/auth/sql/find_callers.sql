-- Finds the users who call, as they are at the moment: an account that has ended is inactive.
--
-- Every request calls this. The settings make PostgreSQL plan it once for each connection, with indexes: it would plan
-- a query over an array for every request, which took more than half of its time.
--
-- Locks: nothing.
-- Returns one row for each known id. `may_read` is whether a user who is no administrator effectively holds the
-- permission.
CREATE OR REPLACE FUNCTION find_callers(ids text[], permission text)
RETURNS TABLE (key bigint, id text, type user_type, status user_status, may_read boolean)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT key, id::text, type, CASE WHEN has_ended(active_until, end_refused_at) THEN 'inactive' ELSE status END,
      type <> 'administrator' AND holds_permission(key, permission)
    FROM users WHERE id = ANY (ids);
END $$;
