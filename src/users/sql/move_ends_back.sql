-- Sets ends of memberships back to what they were before a request moved them, for undo_request: those whose
-- `were_added` is null.
--
-- A membership that has ended is not given again, and an end that has passed does not come back. The end of a workspace
-- stays while a group of it lasts longer, and a group ends at the latest with its workspace.
--
-- Locks: nothing. The caller has locked the users.
-- Returns the changes for the journal (null without any).
CREATE OR REPLACE FUNCTION move_ends_back(
  user_keys bigint[], workspace_keys bigint[], group_keys bigint[], were_added boolean[], ends timestamptz[]
) RETURNS journal_new_change[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  moved record;
BEGIN
  WITH item AS MATERIALIZED (
    SELECT * FROM unnest($1, $2, $3, $4, $5) AS item (user_key, workspace_key, group_key, was_added, ends_at)
    WHERE workspace_key IS NOT NULL AND was_added IS NULL AND (ends_at IS NULL OR ends_at > ends_clock())
  ), of_groups AS MATERIALIZED (
    SELECT m.user_key, m.workspace_key, m.group_key, m.ends_at AS before, item.user_key IS NOT NULL AS moves,
      CASE WHEN item.user_key IS NULL THEN m.ends_at ELSE item.ends_at END AS after
    FROM (SELECT DISTINCT user_key, workspace_key FROM item) AS place
    JOIN group_memberships AS m USING (user_key, workspace_key)
    LEFT JOIN item USING (user_key, workspace_key, group_key)
    WHERE NOT has_ended(m.ends_at, m.end_refused_at)
  ), of_workspaces AS MATERIALIZED (
    SELECT m.user_key, m.workspace_key, NULL::bigint AS group_key, m.ends_at AS before, item.ends_at AS after
    FROM item JOIN workspace_memberships AS m USING (user_key, workspace_key)
    WHERE item.group_key IS NULL AND NOT has_ended(m.ends_at, m.end_refused_at) AND NOT EXISTS (
      SELECT FROM of_groups AS g WHERE g.user_key = item.user_key AND g.workspace_key = item.workspace_key
        AND (g.after IS NULL OR g.after > item.ends_at) AND item.ends_at IS NOT NULL
    )
  ), change AS MATERIALIZED (
    SELECT user_key, workspace_key, group_key, before, after FROM of_workspaces WHERE before IS DISTINCT FROM after
    UNION ALL
    SELECT user_key, workspace_key, g.group_key, g.before, LEAST(g.after, w.ends_at)
    FROM of_groups AS g CROSS JOIN LATERAL (
      SELECT CASE WHEN back.user_key IS NULL THEN m.ends_at ELSE back.after END AS ends_at
      FROM workspace_memberships AS m LEFT JOIN of_workspaces AS back USING (user_key, workspace_key)
      WHERE (m.user_key, m.workspace_key) = (g.user_key, g.workspace_key)
    ) AS w
    WHERE g.moves AND g.before IS DISTINCT FROM LEAST(g.after, w.ends_at)
  ), workspace_change AS (
    UPDATE workspace_memberships AS m SET ends_at = change.after, end_refused_at = NULL FROM change
    WHERE change.group_key IS NULL AND (m.user_key, m.workspace_key) = (change.user_key, change.workspace_key)
  ), group_change AS (
    UPDATE group_memberships AS m SET ends_at = change.after, end_refused_at = NULL FROM change
    WHERE (m.user_key, m.workspace_key, m.group_key) = (change.user_key, change.workspace_key, change.group_key)
  )
  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
    array_agg(before) AS before, array_agg(after) AS after INTO moved FROM change;
  RETURN end_changes(moved.users, moved.workspaces, moved.groups, moved.before, moved.after);
END $$;
