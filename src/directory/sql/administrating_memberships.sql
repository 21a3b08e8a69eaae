-- How a user comes to be an administrator by the default rule of types: directly (without a workspace), by being in a
-- workspace, or by being in a group. Memberships that have ended count until that is carried out.
--
-- Locks: nothing.
-- Returns one row for each way, with the end of the membership and when that was refused.
CREATE OR REPLACE FUNCTION administrating_memberships(user_key bigint)
RETURNS TABLE (workspace_key bigint, group_key bigint, ends_at timestamptz, end_refused_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT held.workspace_key, held.group_key, held.ends_at, held.end_refused_at FROM (
    SELECT NULL::bigint AS workspace_key, NULL::bigint AS group_key, NULL::timestamptz AS ends_at,
      NULL::timestamptz AS end_refused_at, h.permission_key FROM user_permissions AS h WHERE h.user_key = $1
    UNION ALL
    SELECT m.workspace_key, NULL, m.ends_at, m.end_refused_at, h.permission_key
    FROM workspace_memberships AS m JOIN workspace_permissions AS h USING (workspace_key) WHERE m.user_key = $1
    UNION ALL
    SELECT m.workspace_key, m.group_key, m.ends_at, m.end_refused_at, h.permission_key
    FROM group_memberships AS m JOIN group_permissions AS h USING (group_key) WHERE m.user_key = $1
  ) AS held JOIN permissions AS p ON p.key = held.permission_key WHERE p.grants = 'administrator'
$$;
