-- Locks the records of an assignment or an unassignment, and then judges the caller. assign_users, which calls it with
-- its own settings, explains the ids and `lenient`.
--
-- Locks: workspaces and groups FOR KEY SHARE (against deletion and changes of their permissions), users FOR NO KEY
-- UPDATE, each by key.
-- Returns the keys and ids of the locked records, the lowest type of the users, and whether enough of the given ids are
-- known.
-- Raises the errors of judge_caller.
CREATE OR REPLACE FUNCTION lock_assignment(
  user_ids text[], workspace_ids text[], group_ids text[], lenient boolean, actor_kind text, actor_id text,
  OUT are_known boolean, OUT user_keys bigint[], OUT known_users text[], OUT lowest_type user_type,
  OUT workspace_keys bigint[], OUT known_workspaces text[],
  OUT group_keys bigint[], OUT known_groups text[], OUT group_workspaces bigint[]
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  SELECT array_agg(key), COALESCE(array_agg(id), '{}') INTO workspace_keys, known_workspaces
  FROM (SELECT key, id::text FROM workspaces WHERE id = ANY ($2) ORDER BY key + 0 FOR KEY SHARE) AS locked;
  -- The rule that a user in a group is in its workspace: a group of a workspace that the request does not list is
  -- unknown here.
  SELECT array_agg(key), COALESCE(array_agg(id), '{}'), array_agg(workspace_key)
  INTO group_keys, known_groups, group_workspaces
  FROM (
    SELECT key, id::text, workspace_key FROM groups WHERE id = ANY ($3) AND workspace_key + 0 = ANY (workspace_keys)
    ORDER BY key + 0 FOR KEY SHARE
  ) AS locked;
  SELECT array_agg(key), COALESCE(array_agg(id), '{}'), min(type) INTO user_keys, known_users, lowest_type
  FROM (SELECT key, id::text, type FROM users WHERE id = ANY ($1) ORDER BY key + 0 FOR NO KEY UPDATE) AS locked;

  PERFORM judge_caller($5, $6);
  are_known := are_known($1, known_users, lenient) AND are_known($2, known_workspaces, lenient)
    AND are_known($3, known_groups, lenient);
END $$;
