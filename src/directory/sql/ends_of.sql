-- The ends of the memberships of a user, in the format of the journal: `{"workspaces":{"atlas":"..."},"groups":{}}`.
--
-- Locks: nothing.
-- Returns null if none of them has an end.
CREATE OR REPLACE FUNCTION ends_of(user_key bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('workspaces', COALESCE(jsonb_object_agg(workspace, iso_time(ends_at))
      FILTER (WHERE workspace IS NOT NULL), '{}'),
    'groups', COALESCE(jsonb_object_agg(group_id, iso_time(ends_at)) FILTER (WHERE group_id IS NOT NULL), '{}'))
  FROM (
    SELECT w.id AS workspace, NULL AS group_id, m.ends_at FROM workspace_memberships AS m
      JOIN workspaces AS w ON w.key = m.workspace_key WHERE m.user_key = $1 AND m.ends_at IS NOT NULL
    UNION ALL
    SELECT NULL, g.id, m.ends_at FROM group_memberships AS m
      JOIN groups AS g ON g.key = m.group_key WHERE m.user_key = $1 AND m.ends_at IS NOT NULL
  ) AS ending HAVING count(*) > 0
$$;
