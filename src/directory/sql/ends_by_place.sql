-- The ends of memberships in the format of the journal. A membership without a group is one of a workspace.
--
-- Locks: nothing.
-- Returns `{"workspaces":{"atlas":"..."},"groups":{}}`, with those that have an end.
CREATE OR REPLACE FUNCTION ends_by_place(workspace_keys bigint[], group_keys bigint[], ends timestamptz[]) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object(
      'workspaces', COALESCE(jsonb_object_agg(w.id, iso_time(ends_at)) FILTER (WHERE g.id IS NULL), '{}'),
      'groups', COALESCE(jsonb_object_agg(g.id, iso_time(ends_at)) FILTER (WHERE g.id IS NOT NULL), '{}')
    )
    FROM unnest(workspace_keys, group_keys, ends) AS item (workspace_key, group_key, ends_at)
    JOIN workspaces AS w ON w.key = workspace_key LEFT JOIN groups AS g ON g.key = group_key
    WHERE ends_at IS NOT NULL
  );
END $$;
