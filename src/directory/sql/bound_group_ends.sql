-- Lets groups end at the latest with their workspaces, of these users in these workspaces: a group that would last
-- longer ends with its workspace, and stays where the end of the workspace was refused. Whatever writes ends calls it.
--
-- Locks: nothing. The caller has locked the users.
-- Returns the memberships of groups whose end it moved, with the end before.
CREATE OR REPLACE FUNCTION bound_group_ends(user_keys bigint[], workspace_keys bigint[])
RETURNS TABLE (user_key bigint, workspace_key bigint, group_key bigint, ended_at timestamptz, ends_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  UPDATE group_memberships AS g SET ends_at = w.ends_at, end_refused_at = w.end_refused_at
  FROM (SELECT DISTINCT * FROM unnest($1, $2) AS place (user_key, workspace_key)) AS place
  JOIN workspace_memberships AS w USING (user_key, workspace_key)
  JOIN group_memberships AS old USING (user_key, workspace_key)
  WHERE w.ends_at IS NOT NULL AND (old.ends_at IS NULL OR old.ends_at > w.ends_at)
    AND (g.user_key, g.workspace_key, g.group_key) = (old.user_key, old.workspace_key, old.group_key)
  RETURNING g.user_key, g.workspace_key, g.group_key, old.ends_at, g.ends_at;
END $$;
