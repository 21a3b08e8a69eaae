-- Moves the ends of existing memberships for assign_users: to `until` if that is later, or away if it is null. A
-- membership without an end keeps none. One that has ended, and that nothing has carried out yet, is made anew: it is
-- returned as one that was added.
--
-- Locks: nothing. The caller has locked the users.
-- Returns the changes for the journal (null without any), and the keys of the memberships that were made anew; the
-- group is null for one of a workspace.
CREATE OR REPLACE FUNCTION extend_memberships(
  user_keys bigint[], workspace_keys bigint[], group_keys bigint[], until timestamptz,
  OUT changes journal_new_change[], OUT revived_users bigint[], OUT revived_workspaces bigint[],
  OUT revived_groups bigint[]
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH found AS MATERIALIZED (
    SELECT user_key, workspace_key, NULL::bigint AS group_key, ends_at, end_refused_at FROM workspace_memberships
    WHERE ends_at IS NOT NULL AND user_key = ANY ($1) AND workspace_key = ANY ($2)
    UNION ALL
    SELECT user_key, workspace_key, group_key, ends_at, end_refused_at FROM group_memberships
    WHERE ends_at IS NOT NULL AND user_key = ANY ($1) AND group_key = ANY ($3)
  ), ending AS MATERIALIZED (
    SELECT user_key, workspace_key, group_key, ends_at, has_ended(ends_at, end_refused_at) AS has_ended
    FROM found WHERE until IS NULL OR ends_at < until
  ), of_workspaces AS (
    UPDATE workspace_memberships AS m SET ends_at = until, end_refused_at = NULL FROM ending
    WHERE ending.group_key IS NULL AND (m.user_key, m.workspace_key) = (ending.user_key, ending.workspace_key)
  ), of_groups AS (
    UPDATE group_memberships AS m SET ends_at = until, end_refused_at = NULL FROM ending
    WHERE (m.user_key, m.workspace_key, m.group_key) = (ending.user_key, ending.workspace_key, ending.group_key)
  )
  SELECT
    end_changes(
      array_agg(user_key) FILTER (WHERE NOT has_ended), array_agg(workspace_key) FILTER (WHERE NOT has_ended),
      array_agg(group_key) FILTER (WHERE NOT has_ended), array_agg(ends_at) FILTER (WHERE NOT has_ended),
      array_agg(until) FILTER (WHERE NOT has_ended)
    ),
    array_agg(user_key) FILTER (WHERE has_ended), array_agg(workspace_key) FILTER (WHERE has_ended),
    array_agg(group_key) FILTER (WHERE has_ended)
  INTO changes, revived_users, revived_workspaces, revived_groups FROM ending;
END $$;
