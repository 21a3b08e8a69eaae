-- Sets ends of memberships back to what they were before a request moved them, for undo_request: those whose
-- `were_added` is null.
--
-- A membership that has ended is not given again, and an end that has passed does not come back. The end of a workspace
-- stays while a group of it lasts longer.
--
-- Locks: nothing. The caller has locked the users.
-- Returns as set_ends.
CREATE OR REPLACE FUNCTION move_ends_back(
  user_keys bigint[], workspace_keys bigint[], group_keys bigint[], were_added boolean[], ends timestamptz[],
  OUT changes journal_new_change[], OUT memberships bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  back record;
BEGIN
  WITH item AS MATERIALIZED (
    SELECT * FROM unnest($1, $2, $3, $4, $5) AS item (user_key, workspace_key, group_key, was_added, ends_at)
    WHERE workspace_key IS NOT NULL AND was_added IS NULL AND (ends_at IS NULL OR ends_at > ends_clock())
  ), of_groups AS MATERIALIZED (
    SELECT m.user_key, m.workspace_key, m.group_key, item.user_key IS NOT NULL AS moves,
      CASE WHEN item.user_key IS NULL THEN m.ends_at ELSE item.ends_at END AS ends_at
    FROM (SELECT DISTINCT user_key, workspace_key FROM item) AS place
    JOIN group_memberships AS m USING (user_key, workspace_key)
    LEFT JOIN item USING (user_key, workspace_key, group_key)
    WHERE NOT has_ended(m.ends_at, m.end_refused_at)
  ), of_workspaces AS (
    SELECT m.user_key, m.workspace_key, NULL::bigint AS group_key, item.ends_at
    FROM item JOIN workspace_memberships AS m USING (user_key, workspace_key)
    WHERE item.group_key IS NULL AND NOT has_ended(m.ends_at, m.end_refused_at) AND NOT EXISTS (
      SELECT FROM of_groups AS g WHERE g.user_key = item.user_key AND g.workspace_key = item.workspace_key
        AND (g.ends_at IS NULL OR g.ends_at > item.ends_at) AND item.ends_at IS NOT NULL
    )
  )
  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
    array_agg(ends_at) AS ends
  INTO back FROM (
    SELECT * FROM of_workspaces UNION ALL SELECT user_key, workspace_key, group_key, ends_at FROM of_groups WHERE moves
  ) AS both_kinds;
  SELECT * INTO changes, memberships FROM set_ends(back.users, back.workspaces, back.groups, back.ends);
END $$;
