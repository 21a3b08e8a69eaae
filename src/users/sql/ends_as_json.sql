-- The same end for each of these workspaces and groups, in the format of the journal.
--
-- Locks: nothing.
-- Returns `{"workspaces":{"atlas":"..."},"groups":{}}`.
CREATE OR REPLACE FUNCTION ends_as_json(workspace_ids text[], group_ids text[], until timestamptz) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'workspaces', (SELECT COALESCE(jsonb_object_agg(id, iso_time(until)), '{}') FROM unnest(workspace_ids) AS id),
    'groups', (SELECT COALESCE(jsonb_object_agg(id, iso_time(until)), '{}') FROM unnest(group_ids) AS id)
  )
$$;
