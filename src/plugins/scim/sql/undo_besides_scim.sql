-- Records again that SCIM gave memberships that undo_request has just restored; undo_besides calls it.
--
-- `begins` is the position at which the undone request begins. SCIM gave what this request took from it, and nothing
-- else: a membership that was lost before, and that an administrator has given since, stays the administrator's. All
-- that one transaction loses and writes has its time, whatever the ids of its users are now. Without groups, the
-- memberships are of workspaces.
--
-- Locks: nothing. The caller has locked the users.
-- Returns nothing.
CREATE OR REPLACE FUNCTION undo_besides_scim(users bigint[], workspaces bigint[], groups bigint[], begins bigint)
RETURNS void LANGUAGE sql AS $$
  WITH back AS (
    DELETE FROM scim_lost_memberships AS lost USING unnest(users, workspaces, groups) AS item (user_key, workspace_key,
      group_key)
    WHERE (lost.user_key, lost.workspace_key, COALESCE(lost.group_key, 0))
      = (item.user_key, item.workspace_key, COALESCE(item.group_key, 0))
      AND lost.lost_at = (SELECT at FROM journal_changes WHERE position = begins)
    RETURNING lost.*
  )
  INSERT INTO scim_memberships (user_key, workspace_key, group_key)
  SELECT user_key, workspace_key, group_key FROM back ON CONFLICT DO NOTHING
$$;
