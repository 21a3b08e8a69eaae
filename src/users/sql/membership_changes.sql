-- The entries of the journal for memberships that were added or removed: one for all users with the same workspaces and
-- groups, and the same ends of these.
--
-- Locks: nothing.
-- Returns the changes, with the lists in `after` for `user.workspaces.assigned`, and else in `before`; null without
-- any.
CREATE OR REPLACE FUNCTION membership_changes(
  action text, users_of_workspaces bigint[], workspace_keys bigint[], users_of_groups bigint[],
    group_workspaces bigint[], group_keys bigint[], ends_of_workspaces timestamptz[], ends_of_groups timestamptz[]
) RETURNS journal_new_change[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN (
    WITH by_user AS (
      SELECT user_key,
        COALESCE(array_agg(w.id ORDER BY w.id COLLATE "C") FILTER (WHERE group_key IS NULL), '{}') AS workspaces,
        COALESCE(array_agg(g.id ORDER BY g.id COLLATE "C") FILTER (WHERE group_key IS NOT NULL), '{}') AS groups,
        array_agg(DISTINCT w.id COLLATE "C" ORDER BY w.id COLLATE "C") AS concerns,
        CASE WHEN count(ends_at) > 0 THEN jsonb_build_object('until', jsonb_build_object(
          'workspaces', COALESCE(jsonb_object_agg(w.id, iso_time(ends_at))
            FILTER (WHERE group_key IS NULL AND ends_at IS NOT NULL), '{}'),
          'groups', COALESCE(jsonb_object_agg(g.id, iso_time(ends_at))
            FILTER (WHERE group_key IS NOT NULL AND ends_at IS NOT NULL), '{}')
        )) ELSE '{}' END AS ends
      FROM (
        SELECT user_key, workspace_key, NULL::bigint AS group_key, ends_at
        FROM unnest($2, $3, $7) AS w (user_key, workspace_key, ends_at)
        UNION ALL SELECT user_key, workspace_key, group_key, ends_at
          FROM unnest($4, $5, $6, $8) AS g (user_key, workspace_key, group_key, ends_at)
      ) AS change
      JOIN workspaces AS w ON w.key = workspace_key LEFT JOIN groups AS g ON g.key = group_key
      GROUP BY user_key
    ), by_facts AS (
      SELECT array_agg(u.id ORDER BY u.id COLLATE "C") AS users, concerns,
        jsonb_build_object('workspaces', workspaces, 'groups', groups) || ends AS facts
      FROM by_user JOIN users AS u ON u.key = user_key GROUP BY concerns, workspaces, groups, ends
    )
    SELECT array_agg(ROW(
      $1, users, concerns, CASE WHEN $1 <> 'user.workspaces.assigned'
        THEN facts END, CASE WHEN $1 = 'user.workspaces.assigned' THEN facts END
    )::journal_new_change ORDER BY users[1] COLLATE "C") FROM by_facts
  );
END $$;
