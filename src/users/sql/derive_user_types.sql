-- The rule of a user's type: the highest type that any permission grants which the user holds directly, through a workspace
-- or through a group; guest without any.
--
-- Locks: nothing. Callers hold the users, so that what they hold cannot change before the type is written.
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
