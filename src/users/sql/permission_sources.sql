-- Finds every source of each permission of a user, and its origin according to the journal.
--
-- The origin of a direct permission is its grant. The origin of a permission through a workspace or group is the later of two
-- entries: the user joined, or the workspace or group received the permission. The journal knows it only if it has both. Entries
-- that were undone do not count, nor do entries from before the user or the workspace or group was created, which concern
-- another record with the same id.
--
-- Each part reads the journal by an index: `journal_changes_user` and `journal_subjects` for the user, and
-- `journal_changes_permitted` for each workspace or group.
--
-- A moment of the journal has the milliseconds since 1970 above its lowest 21 bits (see `journal/moment.ts`).
--
-- Locks: nothing.
-- Returns one row for each source: of kind `user`, `workspace` or `group`, with its id and, for a group, its workspace.
CREATE OR REPLACE FUNCTION permission_sources(user_key bigint, user_id text) RETURNS TABLE (
  permission text, grants user_type, kind text, place text, workspace text,
  at timestamptz, actor_kind text, actor_id text, reason text
) LANGUAGE sql STABLE SET jit = off AS $$
  WITH held AS (
    SELECT h.permission_key, 'user' AS kind, NULL::text COLLATE "C" AS place, NULL::text AS workspace, NULL::bigint AS created
    FROM user_permissions AS h WHERE h.user_key = $1
    UNION ALL
    SELECT h.permission_key, 'workspace', w.id::text, NULL, (extract(epoch FROM w.created_at) * 1000)::bigint << 21
    FROM workspace_memberships AS m JOIN workspace_permissions AS h USING (workspace_key)
    JOIN workspaces AS w ON w.key = m.workspace_key WHERE m.user_key = $1
    UNION ALL
    SELECT h.permission_key, 'group', g.id::text, w.id::text, (extract(epoch FROM g.created_at) * 1000)::bigint << 21
    FROM group_memberships AS m JOIN group_permissions AS h USING (group_key)
    JOIN groups AS g ON g.key = m.group_key JOIN workspaces AS w ON w.key = m.workspace_key WHERE m.user_key = $1
  ), recorded AS MATERIALIZED (
    SELECT c.moment, c.action, c.before, c.after FROM journal_changes AS c
    WHERE c.user_id = $2 AND c.action IN (
      'user.created', 'user.permissions.changed', 'user.workspaces.assigned', 'user.workspaces.unassigned')
    UNION ALL
    SELECT c.moment, c.action, c.before, c.after
    FROM journal_subjects AS s JOIN journal_changes AS c ON c.moment = s.moment
    WHERE s.kind = 'u' AND s.subject = $2 AND c.action IN (
      'user.created', 'user.permissions.changed', 'user.workspaces.assigned', 'user.workspaces.unassigned')
  ), newest AS (
    -- The last entry about each permission, workspace and group of the user: added or removed.
    SELECT DISTINCT ON (list.kind, thing.id) list.kind, thing.id, thing.came, recorded.moment
    FROM recorded
    CROSS JOIN (VALUES ('user', 'permissions'), ('workspace', 'workspaces'), ('group', 'groups')) AS list (kind, name)
    CROSS JOIN LATERAL (
      SELECT id, true AS came FROM jsonb_array_elements_text(COALESCE(after -> name, '[]')) AS id
      WHERE NOT COALESCE(before -> name ? id, false)
      UNION ALL
      SELECT id, false FROM jsonb_array_elements_text(COALESCE(before -> name, '[]')) AS id
      WHERE NOT COALESCE(after -> name ? id, false)
    ) AS thing
    WHERE recorded.moment >= (SELECT (extract(epoch FROM u.created_at) * 1000)::bigint << 21 FROM users AS u WHERE u.key = $1)
    ORDER BY list.kind, thing.id, recorded.moment DESC
  )
  SELECT p.id, p.grants, held.kind, held.place, held.workspace, c.at, c.actor_kind, c.actor_id, c.reason
  FROM held
  JOIN permissions AS p ON p.key = held.permission_key
  LEFT JOIN newest AS joined ON joined.kind = held.kind AND joined.id = COALESCE(held.place, p.id) AND joined.came
  LEFT JOIN LATERAL (
    SELECT change.moment, change.after -> 'permissions' ? p.id AS came
    FROM journal_changes AS change
    WHERE COALESCE(change.after ->> 'group', change.workspace_id) = held.place
      AND change.action IN ('workspace.permissions.changed', 'group.permissions.changed')
      AND change.action = held.kind || '.permissions.changed'
      AND (change.after -> 'permissions' ? p.id) <> (change.before -> 'permissions' ? p.id)
      AND change.moment >= held.created
    ORDER BY change.moment DESC LIMIT 1
  ) AS permitted ON held.kind <> 'user'
  LEFT JOIN journal_changes AS c ON c.moment = CASE
    WHEN held.kind = 'user' THEN joined.moment
    WHEN permitted.came AND joined.moment IS NOT NULL THEN GREATEST(joined.moment, permitted.moment)
  END
  ORDER BY p.id, array_position(ARRAY['user', 'workspace', 'group'], held.kind), held.place
$$;
