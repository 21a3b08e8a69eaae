-- Locks a group that a connection sees and the users that a change of its members concerns, in one round trip.
--
-- `group_id` is null for a new group. `member_ids` are ids of SCIM. `cleared` means that no present member has to stay:
-- then all members that the connection knows are locked as well, and joiners wait, so that no other member can leave.
-- Users that an administrator removed from the group, and that still have the workspace by SCIM, are locked too.
--
-- Locks: the workspace of the group FOR KEY SHARE; the group FOR NO KEY UPDATE, against other changes by SCIM, or FOR
-- UPDATE if it is cleared; users FOR NO KEY UPDATE, by key.
-- Returns the key of the group (null if the connection sees none, or it was deleted meanwhile), and the keys of the
-- users.
CREATE OR REPLACE FUNCTION lock_scim_group(
  connection_key bigint, group_id text, member_ids text[], cleared boolean, OUT group_key bigint, OUT user_keys bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
  seen record;
BEGIN
  SELECT g.key, g.workspace_key INTO seen FROM groups AS g JOIN scim_connections AS c
    ON g.workspace_key = c.workspace_key OR g.workspace_key = ANY (c.more_workspace_keys)
  WHERE g.id = group_id AND c.key = connection_key;
  PERFORM FROM workspaces WHERE key = seen.workspace_key FOR KEY SHARE;
  IF cleared THEN
    SELECT key INTO group_key FROM groups WHERE key = seen.key FOR UPDATE;
  ELSE
    SELECT key INTO group_key FROM groups WHERE key = seen.key FOR NO KEY UPDATE;
  END IF;
  -- A statement of its own: the members are those of the group as it is now that it is locked.
  SELECT COALESCE(array_agg(locked.key), '{}') INTO user_keys FROM (
    SELECT u.key FROM users AS u WHERE u.key IN (
      SELECT p.user_key FROM scim_users AS p WHERE p.connection_key = $1 AND p.id = ANY (member_ids)
      UNION SELECT p.user_key FROM group_memberships AS m JOIN scim_users AS p USING (user_key)
      WHERE cleared AND m.group_key = seen.key AND p.connection_key = $1
      UNION SELECT p.user_key FROM scim_lost_memberships AS lost JOIN scim_users AS p USING (user_key)
      WHERE cleared AND lost.group_key = seen.key AND p.connection_key = $1 AND EXISTS (
        SELECT FROM scim_memberships AS granted
        WHERE (granted.user_key, granted.workspace_key, COALESCE(granted.group_key, 0))
          = (lost.user_key, lost.workspace_key, 0)
      ) AND NOT EXISTS (
        SELECT FROM group_memberships AS m WHERE (m.user_key, m.workspace_key) = (lost.user_key, lost.workspace_key)
          AND NOT has_ended(m.ends_at, m.end_refused_at)
      )
    ) ORDER BY u.key FOR NO KEY UPDATE
  ) AS locked;
END $$;
