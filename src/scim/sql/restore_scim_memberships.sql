-- Records again that SCIM gave memberships that undo_request has just restored.
--
-- `begins` is the position at which the undone request begins. A membership that an administrator has given since SCIM
-- lost its own stays the administrator's. Without groups, the memberships are of workspaces.
--
-- Locks: nothing. The caller has locked the users.
-- Returns nothing.
CREATE OR REPLACE FUNCTION restore_scim_memberships(users bigint[], workspaces bigint[], groups bigint[], begins bigint)
RETURNS void LANGUAGE sql AS $$
  WITH back AS (
    DELETE FROM scim_lost_memberships AS lost USING unnest(users, workspaces, groups) AS item (user_key, workspace_key,
      group_key)
    WHERE (lost.user_key, lost.workspace_key, COALESCE(lost.group_key, 0))
      = (item.user_key, item.workspace_key, COALESCE(item.group_key, 0))
    RETURNING lost.*
  )
  INSERT INTO scim_memberships (user_key, workspace_key, group_key)
  SELECT back.user_key, back.workspace_key, back.group_key
  FROM back JOIN users AS u ON u.key = back.user_key JOIN workspaces AS w ON w.key = back.workspace_key
  LEFT JOIN groups AS g ON g.key = back.group_key
  WHERE NOT EXISTS (
    SELECT FROM (
      SELECT position FROM journal_changes WHERE user_id = u.id AND position < begins
      UNION ALL SELECT position FROM journal_subjects WHERE kind = 'u' AND subject = u.id AND position < begins
    ) AS found JOIN journal_changes AS change USING (position)
    WHERE change.action = 'user.workspaces.assigned' AND change.at > back.lost_at
      AND CASE WHEN back.group_key IS NULL THEN change.after -> 'workspaces' ? w.id
        ELSE change.after -> 'groups' ? g.id END
  )
  ON CONFLICT DO NOTHING
$$;
