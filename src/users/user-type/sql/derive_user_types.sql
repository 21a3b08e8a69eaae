-- The rule of a user's type: the highest type that any of the user's permissions grants, direct or through a workspace
-- or group; guest without any.
--
-- raise_member_types relies on it: whoever gains permissions and loses none can only rise.
--
-- Joins instead of a subquery for each user, because a change of many derives the types of 10,000 users at once.
--
-- Locks: nothing. Callers have locked the users, so that their permissions cannot change before the type is written.
-- Returns one row for each of the given keys.
CREATE OR REPLACE FUNCTION derive_user_types(user_keys bigint[]) RETURNS TABLE (key bigint, type user_type)
LANGUAGE sql STABLE AS $$
  SELECT held.key, COALESCE(max(p.grants), 'guest') FROM (
    SELECT key, NULL::bigint AS permission_key FROM unnest(user_keys) AS u (key)
    UNION ALL
    SELECT u.key, h.permission_key FROM unnest(user_keys) AS u (key) JOIN user_permissions h ON h.user_key = u.key
    UNION ALL
    SELECT u.key, h.permission_key FROM unnest(user_keys) AS u (key) JOIN workspace_memberships m ON m.user_key = u.key
      JOIN workspace_permissions h ON h.workspace_key = m.workspace_key
    UNION ALL
    SELECT u.key, h.permission_key FROM unnest(user_keys) AS u (key) JOIN group_memberships m ON m.user_key = u.key
      JOIN group_permissions h ON h.group_key = m.group_key
  ) AS held LEFT JOIN permissions p ON p.key = held.permission_key GROUP BY held.key
$$;
