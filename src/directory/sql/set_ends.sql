-- Sets the ends of memberships, exactly; null takes an end away. The one writer of the ends of existing memberships. A
-- membership without a group is one of a workspace. Groups end at the latest with their workspaces: see
-- bound_group_ends.
--
-- Locks: nothing. The caller has locked the users, and judged.
-- Returns the changes for the journal (null without any), and the number of memberships whose end moved.
CREATE OR REPLACE FUNCTION set_ends(
  user_keys bigint[], workspace_keys bigint[], group_keys bigint[], ends timestamptz[],
  OUT changes journal_new_change[], OUT memberships bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  given record;
  moved record;
BEGIN
  memberships := 0;
  IF user_keys IS NULL THEN
    RETURN;
  END IF;
  WITH item AS MATERIALIZED (
    SELECT * FROM unnest($1, $2, $3, $4) AS item (user_key, workspace_key, group_key, ends_at)
  ), of_workspaces AS (
    UPDATE workspace_memberships AS m SET ends_at = item.ends_at, end_refused_at = NULL
    FROM item JOIN workspace_memberships AS old USING (user_key, workspace_key)
    WHERE item.group_key IS NULL AND (m.user_key, m.workspace_key) = (old.user_key, old.workspace_key)
      AND old.ends_at IS DISTINCT FROM item.ends_at
    RETURNING m.user_key, m.workspace_key, NULL::bigint, old.ends_at, m.ends_at
  ), of_groups AS (
    UPDATE group_memberships AS m SET ends_at = item.ends_at, end_refused_at = NULL
    FROM item JOIN group_memberships AS old USING (user_key, workspace_key, group_key)
    WHERE (m.user_key, m.workspace_key, m.group_key) = (old.user_key, old.workspace_key, old.group_key)
      AND old.ends_at IS DISTINCT FROM item.ends_at
    RETURNING m.user_key, m.workspace_key, m.group_key, old.ends_at, m.ends_at
  )
  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
    array_agg(before) AS before, array_agg(after) AS after
  INTO given FROM (SELECT * FROM of_workspaces UNION ALL SELECT * FROM of_groups) AS both_kinds (user_key,
    workspace_key, group_key, before, after);
  -- An end that was given and then bounded has moved once.
  WITH bounded AS MATERIALIZED (SELECT * FROM bound_group_ends(given.users, given.workspaces)), step AS (
    SELECT 1 AS nth, * FROM unnest(given.users, given.workspaces, given.groups, given.before, given.after) AS item
      (user_key, workspace_key, group_key, before, after)
    UNION ALL SELECT 2, * FROM bounded
  ), whole AS (
    SELECT user_key, workspace_key, group_key, (array_agg(before ORDER BY nth))[1] AS before,
      (array_agg(after ORDER BY nth DESC))[1] AS after
    FROM step GROUP BY user_key, workspace_key, group_key
  )
  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
    array_agg(before) AS before, array_agg(after) AS after, count(*) AS count
  INTO moved FROM whole WHERE before IS DISTINCT FROM after;
  memberships := moved.count;
  changes := end_changes(moved.users, moved.workspaces, moved.groups, moved.before, moved.after);
END $$;
