-- The entries of the journal for ends of memberships that moved: for each user those that now end later or never, and
-- those that now end earlier; one for all users with the same facts. The group is null for the end of a workspace's
-- membership.
--
-- Locks: nothing.
-- Returns the changes; null without any.
CREATE OR REPLACE FUNCTION end_changes(
  user_keys bigint[], workspace_keys bigint[], group_keys bigint[], ends_before timestamptz[], ends_after timestamptz[]
) RETURNS journal_new_change[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  IF user_keys IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN (
    WITH by_user AS (
      SELECT user_key, extends, array_agg(DISTINCT w.id COLLATE "C" ORDER BY w.id COLLATE "C") AS concerns,
        jsonb_build_object(
          'workspaces', COALESCE(jsonb_object_agg(w.id, iso_time(before)) FILTER (WHERE g.id IS NULL), '{}'),
          'groups', COALESCE(jsonb_object_agg(g.id, iso_time(before)) FILTER (WHERE g.id IS NOT NULL), '{}')
        ) AS before,
        jsonb_build_object(
          'workspaces', COALESCE(jsonb_object_agg(w.id, iso_time(after)) FILTER (WHERE g.id IS NULL), '{}'),
          'groups', COALESCE(jsonb_object_agg(g.id, iso_time(after)) FILTER (WHERE g.id IS NOT NULL), '{}')
        ) AS after
      FROM (
        SELECT *, (after IS NULL OR after > before) IS TRUE AS extends
        FROM unnest($1, $2, $3, $4, $5) AS item (user_key, workspace_key, group_key, before, after)
      ) AS moved
      JOIN workspaces AS w ON w.key = workspace_key LEFT JOIN groups AS g ON g.key = group_key
      GROUP BY user_key, extends
    ), by_facts AS (
      SELECT array_agg(u.id ORDER BY u.id COLLATE "C") AS users, extends, concerns, before, after
      FROM by_user JOIN users AS u ON u.key = user_key GROUP BY extends, concerns, before, after
    )
    SELECT array_agg(ROW(
      CASE WHEN extends THEN 'user.workspaces.extended' ELSE 'user.workspaces.shortened' END,
      users, concerns, before, after
    )::journal_new_change ORDER BY extends, users[1] COLLATE "C") FROM by_facts
  );
END $$;
