-- Finds every source of each permission of a user, and its origin according to the journal.
--
-- The origin of a direct permission is its grant. The origin of a permission through a workspace or group is the later of two
-- entries: the user joined, or the workspace or group received the permission. The journal knows it only if it has both. Entries
-- that were undone do not count, nor do entries from before the user or the workspace or group was created, which concern
-- another record with the same id.
--
-- Each part reads the journal by an index: `journal_changes_user` and `journal_subjects` for the user, and
-- `journal_changes_permitted` for each workspace or group. Each entry is read once, whatever the number of permissions, and grouping
-- takes the place of joins: a planner that expects few rows would join by comparing each permission with each entry.
--
-- A moment of the journal has the milliseconds since 1970 above its lowest 21 bits (see `journal/moment.ts`). A clock can be set back, so
-- the order of changes is that of their ids: the `turn` of a change is its id, and its moment to find it by.
--
-- Locks: nothing.
-- Returns one row for each source: of kind `user`, `workspace` or `group`, with its id and, for a group, its workspace.
CREATE OR REPLACE FUNCTION permission_sources(user_key bigint, user_id text) RETURNS TABLE (
  permission text, grants user_type, kind text, place text, workspace text,
  at timestamptz, actor_kind text, actor_id text, reason text
) LANGUAGE sql STABLE SET jit = off AS $$
  WITH given AS (
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
  ), held AS MATERIALIZED (
    SELECT given.*, p.id::text COLLATE "C" AS permission, p.grants FROM given
    CROSS JOIN LATERAL (SELECT id, grants FROM permissions WHERE key = given.permission_key LIMIT 1) AS p
  ), recorded AS MATERIALIZED (
    SELECT ARRAY[c.id, c.moment] AS turn, c.before, c.after FROM journal_changes AS c
    WHERE (c.user_id = $2 OR c.moment = ANY (ARRAY(
        SELECT s.moment FROM journal_subjects AS s WHERE s.kind = 'u' AND s.subject = $2)))
      AND c.action IN ('user.created', 'user.permissions.changed', 'user.workspaces.assigned', 'user.workspaces.unassigned')
      AND c.moment >= (SELECT (extract(epoch FROM u.created_at) * 1000)::bigint << 21 FROM users AS u WHERE u.key = $1)
  ), lists AS (
    -- Each list before and after each entry: the permissions, workspaces and groups of the user (without a place), and the
    -- permissions of each place.
    SELECT list.kind, NULL::text COLLATE "C" AS place, recorded.turn, before -> name AS before, after -> name AS after
    FROM recorded
    CROSS JOIN (VALUES ('user', 'permissions'), ('workspace', 'workspaces'), ('group', 'groups')) AS list (kind, name)
    UNION ALL
    SELECT holder.kind, holder.place, change.turn, change.before, change.after
    FROM (
      SELECT kind, place, created, array_agg(permission) AS permissions FROM held WHERE kind <> 'user'
      GROUP BY kind, place, created
    ) AS holder
    CROSS JOIN LATERAL (
      SELECT ARRAY[c.id, c.moment] AS turn, c.before -> 'permissions' AS before, c.after -> 'permissions' AS after
      FROM journal_changes AS c
      WHERE COALESCE(c.after ->> 'group', c.workspace_id) = holder.place
        AND c.action IN ('workspace.permissions.changed', 'group.permissions.changed')
        AND c.action = holder.kind || '.permissions.changed'
        AND c.moment >= holder.created
        -- Skips entries that changed none of the permissions, if these are few: `?&` compares each with the whole list.
        AND NOT (cardinality(holder.permissions) <= 20
          AND c.before -> 'permissions' ?& holder.permissions AND c.after -> 'permissions' ?& holder.permissions)
      -- Keeps the index: without it, this could become a join with the entries of all places.
      OFFSET 0
    ) AS change
  ), facts AS (
    -- What was added (`came`) or removed: a permission of the user or of a place; or, without a permission, the user's
    -- membership of a place.
    SELECT kind, CASE WHEN kind = 'user' THEN NULL ELSE COALESCE(place, thing.id) END AS place,
      CASE WHEN kind = 'user' OR place IS NOT NULL THEN thing.id END AS permission,
      NULL::user_type AS grants, NULL::text AS workspace, thing.came, turn
    FROM lists CROSS JOIN LATERAL (
      SELECT id, bool_and(is_after) AS came FROM (
        SELECT jsonb_array_elements_text(after) COLLATE "C" AS id, true AS is_after
        UNION ALL
        SELECT jsonb_array_elements_text(before), false
      ) AS listed
      GROUP BY id HAVING bool_and(is_after) = bool_or(is_after)
    ) AS thing
    UNION ALL
    SELECT kind, place, permission, grants, workspace, NULL, NULL FROM held
  ), origins AS (
    -- Only permissions that are held now have `grants`. Whatever was removed last has no turn.
    SELECT kind, place, permission, max(grants) AS grants, max(workspace) AS workspace,
      CASE WHEN max(turn) FILTER (WHERE came) = max(turn) THEN max(turn) END AS turn
    FROM facts GROUP BY kind, place, permission
  ), sources AS (
    SELECT origins.*, max(turn) FILTER (WHERE permission IS NULL) OVER (PARTITION BY kind, place) AS joined FROM origins
  )
  SELECT s.permission, s.grants, s.kind, s.place, s.workspace, c.at, c.actor_kind, c.actor_id, c.reason
  FROM sources AS s
  LEFT JOIN LATERAL (
    SELECT c.at, c.actor_kind, c.actor_id, c.reason FROM journal_changes AS c
    WHERE c.moment = (CASE
      WHEN s.kind = 'user' THEN s.turn
      WHEN s.turn IS NOT NULL AND s.joined IS NOT NULL THEN GREATEST(s.turn, s.joined)
    END)[2]
    LIMIT 1
  ) AS c ON true
  WHERE s.grants IS NOT NULL
  ORDER BY s.permission, array_position(ARRAY['user', 'workspace', 'group'], s.kind), s.place
$$;
