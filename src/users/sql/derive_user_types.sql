-- The rule of a user's type: the highest type that any permission grants which the user holds directly, through a workspace
-- or through a group; guest without any.
--
-- Locks: nothing. Callers hold the users, so that what they hold cannot change before the type is written.
-- Returns one row for each of the given ids.
CREATE OR REPLACE FUNCTION derive_user_types(user_ids text[]) RETURNS TABLE (id text, type user_type)
LANGUAGE sql STABLE AS $$
  SELECT u.id, COALESCE(GREATEST(
    (SELECT max(p.grants) FROM user_permissions h JOIN permissions p ON p.id = h.permission_id
      WHERE h.user_id = u.id),
    (SELECT max(p.grants) FROM workspace_memberships m
      JOIN workspace_permissions h ON h.workspace_id = m.workspace_id JOIN permissions p ON p.id = h.permission_id
      WHERE m.user_id = u.id),
    (SELECT max(p.grants) FROM group_memberships m
      JOIN group_permissions h ON h.group_id = m.group_id JOIN permissions p ON p.id = h.permission_id
      WHERE m.user_id = u.id)
  ), 'guest')
  FROM unnest(user_ids) AS u (id)
$$;
