-- Moves the ends of memberships to `until` for unassign_users, unless they end earlier: of these groups or, without
-- groups, of these workspaces and all their groups.
--
-- Locks: nothing. The caller has locked the users.
-- Returns the changes for the journal (null without any), and the number of changed memberships.
CREATE OR REPLACE FUNCTION shorten_memberships(
  user_keys bigint[], workspace_keys bigint[], group_keys bigint[], until timestamptz,
  OUT changes journal_new_change[], OUT shortened bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  of_workspaces CONSTANT boolean := group_keys IS NULL;
BEGIN
  WITH found AS MATERIALIZED (
    SELECT user_key, workspace_key, NULL::bigint AS group_key, ends_at FROM workspace_memberships
    WHERE of_workspaces AND user_key = ANY ($1) AND workspace_key = ANY ($2)
    UNION ALL
    SELECT user_key, workspace_key, group_key, ends_at FROM group_memberships
    WHERE user_key = ANY ($1) AND workspace_key = ANY ($2) AND (of_workspaces OR group_key = ANY ($3))
  ), lasting AS MATERIALIZED (
    SELECT * FROM found WHERE ends_at IS NULL OR ends_at > until
  ), workspace_change AS (
    UPDATE workspace_memberships AS m SET ends_at = until, end_refused_at = NULL FROM lasting
    WHERE lasting.group_key IS NULL AND (m.user_key, m.workspace_key) = (lasting.user_key, lasting.workspace_key)
  ), group_change AS (
    UPDATE group_memberships AS m SET ends_at = until, end_refused_at = NULL FROM lasting
    WHERE (m.user_key, m.workspace_key, m.group_key) = (lasting.user_key, lasting.workspace_key, lasting.group_key)
  )
  SELECT end_changes(array_agg(user_key), array_agg(workspace_key), array_agg(group_key), array_agg(ends_at),
    array_agg(until)), count(*)
  INTO changes, shortened FROM lasting;
END $$;
