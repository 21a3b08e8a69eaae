-- The rule of a user's type: the highest type that any of the user's permissions grants, direct or through a workspace or
-- group; guest without any.
--
-- Locks: nothing. Callers have locked the users, so that their permissions cannot change before the type is written.
-- Returns one row for each of the given keys.
CREATE OR REPLACE FUNCTION derive_user_types(user_keys bigint[]) RETURNS TABLE (key bigint, type user_type)
LANGUAGE sql STABLE AS $$
  SELECT u.key, COALESCE(GREATEST(
    (SELECT max(p.grants) FROM user_permissions h JOIN permissions p ON p.key = h.permission_key
      WHERE h.user_key = u.key),
    (SELECT max(p.grants) FROM workspace_memberships m
      JOIN workspace_permissions h ON h.workspace_key = m.workspace_key JOIN permissions p ON p.key = h.permission_key
      WHERE m.user_key = u.key),
    (SELECT max(p.grants) FROM group_memberships m
      JOIN group_permissions h ON h.group_key = m.group_key JOIN permissions p ON p.key = h.permission_key
      WHERE m.user_key = u.key)
  ), 'guest')
  FROM unnest(user_keys) AS u (key)
$$;
