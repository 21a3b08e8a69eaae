-- The memberships of these users that are due to end. A workspace takes its groups along, so they are left out.
--
-- Locks: nothing.
-- Returns one row for each; a membership of a workspace has no group.
CREATE OR REPLACE FUNCTION due_memberships(user_keys bigint[])
RETURNS TABLE (user_key bigint, workspace_key bigint, group_key bigint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT m.user_key, m.workspace_key, NULL::bigint FROM unnest(user_keys) AS u (key)
  CROSS JOIN LATERAL (
    SELECT * FROM workspace_memberships AS m WHERE m.user_key = u.key AND ends_at <= ends_clock()
      AND is_due(ends_at, end_refused_at) OFFSET 0
  ) AS m
  UNION ALL
  SELECT m.user_key, m.workspace_key, m.group_key FROM unnest(user_keys) AS u (key)
  CROSS JOIN LATERAL (
    SELECT * FROM group_memberships AS m WHERE m.user_key = u.key AND ends_at <= ends_clock()
      AND is_due(ends_at, end_refused_at) OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (
    SELECT is_due(ends_at, end_refused_at) AS takes_along FROM workspace_memberships AS w
    WHERE (w.user_key, w.workspace_key) = (m.user_key, m.workspace_key) OFFSET 0
  ) AS within
  WHERE NOT within.takes_along;
END $$;
