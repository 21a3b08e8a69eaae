-- Notes that the access of an administrator, who is locked, cannot end: the end of the account, and that of the last
-- membership by which the user is an administrator. What has ended before goes. By an application's own rule of types
-- nobody knows which membership that is: `all_memberships` notes all that are due.
--
-- Locks: nothing.
-- Returns nothing.
CREATE OR REPLACE FUNCTION refuse_end(user_key bigint, all_memberships boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- The precision of the column: rounded up, it would lie ahead.
  noted_at CONSTANT timestamptz := date_trunc('milliseconds', ends_clock());
  last_way record;
BEGIN
  UPDATE users SET end_refused_at = noted_at WHERE key = $1 AND is_due(active_until, end_refused_at);
  IF all_memberships THEN
    UPDATE workspace_memberships AS m SET end_refused_at = noted_at
    WHERE m.user_key = $1 AND is_due(ends_at, end_refused_at);
    UPDATE group_memberships AS m SET end_refused_at = noted_at
    WHERE m.user_key = $1 AND is_due(ends_at, end_refused_at);
    RETURN;
  END IF;
  IF has_own_type_rule() OR EXISTS (
    SELECT FROM administrating_memberships($1) WHERE NOT is_due(ends_at, end_refused_at)
  ) THEN
    RETURN;
  END IF;
  SELECT way.workspace_key, way.group_key, w.ends_at INTO last_way FROM administrating_memberships($1) AS way
  JOIN workspace_memberships AS w ON w.user_key = $1 AND w.workspace_key = way.workspace_key
  ORDER BY way.ends_at DESC, way.workspace_key DESC, way.group_key DESC LIMIT 1;
  UPDATE group_memberships AS m SET end_refused_at = noted_at
  WHERE m.user_key = $1 AND m.group_key = last_way.group_key;
  -- A group stays in its workspace, and what would have ended with the workspace stays with it.
  UPDATE workspace_memberships AS m SET end_refused_at = noted_at
  WHERE m.user_key = $1 AND m.workspace_key = last_way.workspace_key AND is_due(ends_at, end_refused_at);
  IF FOUND THEN
    UPDATE group_memberships AS m SET end_refused_at = noted_at
    WHERE m.user_key = $1 AND m.workspace_key = last_way.workspace_key AND ends_at = last_way.ends_at;
  END IF;
END $$;
