-- The records with something that undoing a request leaves: those that it created, and those whose fields or grants it
-- changed, for undo_request. Only one that undo takes back in part has any. Who or what was deleted since does not
-- count.
--
-- Locks: nothing.
-- Returns their number, of all four kinds together.
CREATE OR REPLACE FUNCTION records_kept(begins bigint, ends bigint) RETURNS integer LANGUAGE sql STABLE AS $$
  WITH change AS MATERIALIZED (
    SELECT action, COALESCE(user_keys, ARRAY[user_key]) AS users, workspace_id AS workspace,
      COALESCE(after, before) ->> 'group' AS group_id, COALESCE(after, before) ->> 'permission' AS permission
    FROM journal_changes AS c WHERE position >= begins AND position < ends
      AND (action <> 'user.updated' OR COALESCE(after, before) ?| ARRAY['activeUntil', 'permissions'] OR EXISTS (
        SELECT FROM journal_personal AS p
        WHERE p.position = c.position AND (p.before IS NOT NULL OR p.after IS NOT NULL)
      ))
  )
  SELECT ((SELECT count(*) FROM users WHERE key IN (
      SELECT unnest(users) FROM change WHERE action IN ('user.created', 'user.updated', 'user.permissions.changed')))
    + (SELECT count(*) FROM workspaces WHERE id IN (SELECT workspace FROM change WHERE action LIKE 'workspace.%'))
    + (SELECT count(*) FROM groups WHERE id IN (SELECT group_id FROM change WHERE action LIKE 'group.%'))
    + (SELECT count(*) FROM permissions WHERE id IN (SELECT permission FROM change WHERE action LIKE 'permission.%'))
  )::integer
$$;
