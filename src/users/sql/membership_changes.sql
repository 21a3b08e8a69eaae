-- The entries of the journal for memberships that were added or removed: one for all users with the same workspaces and
-- groups.
--
-- Locks: nothing.
-- Returns the changes, with the lists in `after` for `user.workspaces.assigned`, and else in `before`; null without
-- any.
CREATE OR REPLACE FUNCTION membership_changes(
  action text, users_of_workspaces bigint[], workspace_keys bigint[], users_of_groups bigint[],
    group_workspaces bigint[], group_keys bigint[]
) RETURNS journal_new_change[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN (
    WITH by_user AS (
      SELECT user_key,
        COALESCE(array_agg(w.id ORDER BY w.id COLLATE "C") FILTER (WHERE group_key IS NULL), '{}') AS workspaces,
        COALESCE(array_agg(g.id ORDER BY g.id COLLATE "C") FILTER (WHERE group_key IS NOT NULL), '{}') AS groups,
        array_agg(DISTINCT w.id COLLATE "C" ORDER BY w.id COLLATE "C") AS concerns
      FROM (
        SELECT user_key, workspace_key, NULL::bigint AS group_key FROM unnest($2, $3) AS w (user_key, workspace_key)
        UNION ALL SELECT user_key, workspace_key, group_key
          FROM unnest($4, $5, $6) AS g (user_key, workspace_key, group_key)
      ) AS change
      JOIN workspaces AS w ON w.key = workspace_key LEFT JOIN groups AS g ON g.key = group_key
      GROUP BY user_key
    ), by_facts AS (
      SELECT array_agg(u.id ORDER BY u.id COLLATE "C") AS users, concerns,
        jsonb_build_object('workspaces', workspaces, 'groups', groups) AS facts
      FROM by_user JOIN users AS u ON u.key = user_key GROUP BY concerns, workspaces, groups
    )
    SELECT array_agg(ROW(
      $1, users, concerns, CASE WHEN $1 <> 'user.workspaces.assigned'
        THEN facts END, CASE WHEN $1 = 'user.workspaces.assigned' THEN facts END
    )::journal_new_change ORDER BY users[1] COLLATE "C") FROM by_facts
  );
END $$;
