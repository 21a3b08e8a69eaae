-- The ends of accounts and memberships that have passed, and that nothing has carried out yet, in the order of ends. It
-- reads three indexes that hold nothing but ends.
--
-- With `is_retry`, those that were refused a minute ago or earlier; otherwise those that were not. `spares` leaves out
-- those of active administrators.
--
-- Locks: nothing.
-- Returns at most `most` rows after the first `skipped`. An account has no workspace, and a membership of a
-- workspace has no group.
CREATE OR REPLACE FUNCTION due_ends(most integer, skipped integer, is_retry boolean, spares boolean)
RETURNS TABLE (ends_at timestamptz, user_key bigint, workspace_key bigint, group_key bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT due.ends_at, due.user_key, due.workspace_key, due.group_key FROM (
    SELECT active_until AS ends_at, key AS user_key, NULL::bigint AS workspace_key, NULL::bigint AS group_key,
      end_refused_at FROM users WHERE active_until <= ends_clock()
    UNION ALL
    SELECT m.ends_at, m.user_key, m.workspace_key, NULL, m.end_refused_at FROM workspace_memberships AS m
    WHERE m.ends_at <= ends_clock()
    UNION ALL
    SELECT m.ends_at, m.user_key, m.workspace_key, m.group_key, m.end_refused_at FROM group_memberships AS m
    WHERE m.ends_at <= ends_clock()
  ) AS due
  WHERE CASE WHEN is_retry THEN end_refused_at <= ends_clock() - interval '1 minute' ELSE end_refused_at IS NULL END
    AND NOT (spares AND EXISTS (
      SELECT FROM users AS u WHERE u.key = due.user_key AND u.type = 'administrator' AND u.status = 'active'))
  ORDER BY due.ends_at, due.user_key, due.workspace_key NULLS FIRST, due.group_key NULLS FIRST
  LIMIT most OFFSET skipped;
END $$;
