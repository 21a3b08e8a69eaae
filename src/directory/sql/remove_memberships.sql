-- Takes users out of workspaces, with all their groups in these, and out of groups: the one writer that removes
-- memberships. A membership without a group is one of a workspace. Who is not in stays as they are.
--
-- Locks: nothing. The caller has locked the users, and judged.
-- Returns the changes for the journal (null without any), with the ends of the memberships if `tells_ends`; the number
-- of users, and the number of memberships.
CREATE OR REPLACE FUNCTION remove_memberships(
  user_keys bigint[], workspace_keys bigint[], group_keys bigint[], tells_ends boolean,
  OUT changes journal_new_change[], OUT users integer, OUT memberships bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- One statement deletes both kinds of membership, so the foreign key finds no group membership to delete.
  WITH item AS MATERIALIZED (
    SELECT * FROM unnest($1, $2, $3) AS item (user_key, workspace_key, group_key)
  ), group_change AS (
    DELETE FROM group_memberships AS m USING item
    WHERE m.user_key = item.user_key AND m.workspace_key = item.workspace_key
      AND (item.group_key IS NULL OR m.group_key = item.group_key)
    RETURNING m.user_key, m.workspace_key, m.group_key, m.ends_at
  ), workspace_change AS (
    DELETE FROM workspace_memberships AS m USING item
    WHERE item.group_key IS NULL AND m.user_key = item.user_key AND m.workspace_key = item.workspace_key
    RETURNING m.user_key, m.workspace_key, NULL::bigint, m.ends_at
  )
  SELECT told.changes, told.users, gone.count INTO changes, users, memberships
  FROM (
    SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
      array_agg(CASE WHEN tells_ends THEN ends_at END) AS ends, count(*) AS count
    FROM (
      SELECT * FROM group_change UNION ALL SELECT * FROM workspace_change
    ) AS both_kinds (user_key, workspace_key, group_key, ends_at)
  ) AS gone
  CROSS JOIN LATERAL membership_changes('user.workspaces.unassigned', gone.users, gone.workspaces, gone.groups,
    gone.ends) AS told;
END $$;
