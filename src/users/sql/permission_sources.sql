-- Finds the sources of a page of the permissions of a user, and the origin of each according to the journal.
--
-- The origin of a direct permission is its grant. The origin of a permission through a workspace or group is the later
-- of two entries: the user joined, or the workspace or group received the permission. The journal knows it only if it
-- has both. Entries that were undone do not count, nor do entries from before the user or the workspace or group was
-- created, which concern another record with the same id. What the user got under an earlier id counts.
--
-- Each part reads the journal by an index: `journal_changes_user` and `journal_subjects` for the user, and
-- `journal_changes_place` for each workspace or group. Each entry is read once, whatever the number of permissions, and
-- grouping takes the place of joins: a planner that expects few rows would join by comparing each permission with each
-- entry. The plan is kept, because planning for every month takes longer than reading, and the head bounds the months
-- that are looked at.
--
-- Only the sources on the page are explained: of the permissions after `after_id`, the first `page_limit`, and of each
-- the first `most_sources`. The page ends earlier with the permission before the one that would exceed `most_bytes`.
--
-- Locks: nothing.
-- Returns one row for each source: of kind `user`, `workspace` or `group`, with its id and, for a group, its workspace,
-- and with the end of the membership, if it has one;
-- `more` is the number of further sources of the permission, and `has_next` tells whether permissions follow the page.
CREATE OR REPLACE FUNCTION permission_sources(
  user_key bigint, user_id text, after_id text, page_limit integer, most_sources integer, most_bytes integer
) RETURNS TABLE (
  permission text, grants user_type, kind text, place text, workspace text,
  until timestamptz, at timestamptz, actor_kind text, actor_id text, reason text, more integer, has_next boolean
) LANGUAGE plpgsql STABLE SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  head CONSTANT bigint := (SELECT position FROM journal_head);
  -- The end of the only administrator has not passed.
  is_kept CONSTANT boolean := EXISTS (SELECT FROM users WHERE key = $1 AND type = 'administrator')
    AND kept_administrator(ends_clock()) IS NOT DISTINCT FROM $1;
BEGIN
  RETURN QUERY WITH places AS MATERIALIZED (
    -- In the order of sources. The user comes before all of them, with the rank 0.
    SELECT *, row_number() OVER (ORDER BY array_position(ARRAY['workspace', 'group'], kind), place) AS rank
    FROM (
      SELECT 'workspace' AS kind, w.key, w.id::text COLLATE "C" AS place, NULL::text AS workspace, m.ends_at
      FROM workspace_memberships AS m JOIN workspaces AS w ON w.key = m.workspace_key
      WHERE m.user_key = $1 AND (is_kept OR NOT has_ended(m.ends_at, m.end_refused_at))
      UNION ALL
      SELECT 'group', g.key, g.id::text, w.id::text, m.ends_at
      FROM group_memberships AS m JOIN groups AS g ON g.key = m.group_key JOIN workspaces AS w
        ON w.key = m.workspace_key
      WHERE m.user_key = $1 AND (is_kept OR NOT has_ended(m.ends_at, m.end_refused_at))
    ) AS joined
  ), given AS NOT MATERIALIZED (
    SELECT h.permission_key, 0 AS rank FROM user_permissions AS h WHERE h.user_key = $1
    UNION ALL
    SELECT h.permission_key, rank FROM places JOIN workspace_permissions AS h ON h.workspace_key = places.key
    WHERE places.kind = 'workspace'
    UNION ALL
    SELECT h.permission_key, rank FROM places JOIN group_permissions AS h ON h.group_key = places.key
    WHERE places.kind = 'group'
  ), page AS MATERIALIZED (
    SELECT p.key, p.id FROM (SELECT DISTINCT permission_key FROM given) AS held
    CROSS JOIN LATERAL (
      SELECT key, id::text COLLATE "C" AS id FROM permissions WHERE key = held.permission_key LIMIT 1
    ) AS p
    WHERE $3 IS NULL OR p.id > $3
    ORDER BY p.id LIMIT $4 + 1
  ), held AS MATERIALIZED (
    SELECT COALESCE(places.kind, 'user') AS kind, places.place, places.workspace, places.ends_at, p.id AS permission,
      p.grants,
      source.more
    FROM (
      SELECT permission_key, rank, row_number() OVER (PARTITION BY permission_key ORDER BY rank) AS position,
        GREATEST(count(*) OVER (PARTITION BY permission_key) - $5, 0)::integer AS more
      -- IS TRUE keeps the page in a hash. A join could read everything that is given once for each permission.
      FROM given WHERE (permission_key IN (SELECT key FROM page ORDER BY id LIMIT $4)) IS TRUE
    ) AS source
    LEFT JOIN places USING (rank)
    CROSS JOIN LATERAL (
      SELECT id::text COLLATE "C" AS id, grants FROM permissions WHERE key = source.permission_key LIMIT 1
    ) AS p
    WHERE source.position <= $5
  ), recorded AS MATERIALIZED (
    SELECT * FROM (
      SELECT c.position AS entry, c.before, c.after, max(c.position)
        FILTER (WHERE c.action = 'user.created') OVER () AS created
      FROM journal_user_ids($2) AS borne CROSS JOIN LATERAL (
        SELECT * FROM journal_changes AS c
        WHERE (c.user_id = borne.id OR c.position = ANY (ARRAY(
            SELECT s.position FROM journal_subjects AS s WHERE s.kind = 'u' AND s.subject = borne.id)))
          AND c.position BETWEEN borne.began AND borne.until
        OFFSET 0
      ) AS c
      WHERE c.action IN ('user.created', 'user.permissions.changed', 'user.workspaces.assigned',
        'user.workspaces.unassigned')
        AND c.position <= head
    ) AS c WHERE created IS NULL OR entry >= created
  ), lists AS (
    -- Each list before and after each entry: the permissions, workspaces and groups of the user (without a place), and
    -- the permissions of each place.
    SELECT list.kind, NULL::text COLLATE "C" AS place, recorded.entry, before -> name AS before, after -> name AS after
    FROM recorded
    CROSS JOIN (VALUES ('user', 'permissions'), ('workspace', 'workspaces'), ('group', 'groups')) AS list (kind, name)
    UNION ALL
    SELECT holder.kind, holder.place, change.entry, change.before, change.after
    FROM (
      SELECT kind, place, array_agg(permission) AS permissions FROM held WHERE kind <> 'user' GROUP BY kind, place
    ) AS holder
    CROSS JOIN LATERAL (
      SELECT c.position AS entry, c.before -> 'permissions' AS before, c.after -> 'permissions' AS after
      FROM journal_changes AS c
      WHERE COALESCE(c.after ->> 'group', c.workspace_id) = holder.place
        AND c.action IN ('workspace.created', 'group.created', 'workspace.permissions.changed',
          'group.permissions.changed')
        AND c.action = holder.kind || '.permissions.changed'
        AND c.position <= head
        AND c.position >= COALESCE((
          SELECT b.position FROM journal_changes AS b
          WHERE COALESCE(b.after ->> 'group', b.workspace_id) = holder.place
            AND b.action IN ('workspace.created', 'group.created', 'workspace.permissions.changed',
              'group.permissions.changed')
            AND b.action = holder.kind || '.created'
            AND b.position <= head
          ORDER BY b.position DESC LIMIT 1), 0)
        -- Skips entries that changed none of the permissions, if these are few: `?&` compares each with the whole list.
        AND NOT (cardinality(holder.permissions) <= 20
          AND c.before -> 'permissions' ?& holder.permissions AND c.after -> 'permissions' ?& holder.permissions)
      -- Keeps the index: without it, this could become a join with the entries of all places.
      OFFSET 0
    ) AS change
  ), facts AS (
    -- What was added (`was_added`) or removed: a permission of the user or of a place; or, without a permission, the
    -- user's membership of a place.
    SELECT kind, CASE WHEN kind = 'user' THEN NULL ELSE COALESCE(place, item.id) END AS place,
      CASE WHEN kind = 'user' OR place IS NOT NULL THEN item.id END AS permission,
      NULL::user_type AS grants, NULL::text AS workspace, NULL::timestamptz AS ends_at, NULL::integer AS more,
      item.was_added, entry
    FROM lists CROSS JOIN LATERAL (
      SELECT id, bool_and(is_after) AS was_added FROM (
        SELECT jsonb_array_elements_text(after) COLLATE "C" AS id, true AS is_after
        UNION ALL
        SELECT jsonb_array_elements_text(before), false
      ) AS listed
      GROUP BY id HAVING bool_and(is_after) = bool_or(is_after)
    ) AS item
    UNION ALL
    SELECT kind, place, permission, grants, workspace, ends_at, more, NULL, NULL FROM held
  ), origins AS (
    -- Only permissions that are held now have `grants`. What was removed last has no `entry`.
    SELECT kind, place, permission, max(grants) AS grants, max(workspace) AS workspace, max(ends_at) AS ends_at,
      max(more) AS more,
      CASE WHEN max(entry) FILTER (WHERE was_added) = max(entry) THEN max(entry) END AS entry
    FROM facts GROUP BY kind, place, permission
  ), sources AS (
    SELECT origins.*, max(entry) FILTER (WHERE permission IS NULL) OVER (PARTITION BY kind, place) AS joined
    FROM origins
  )
  SELECT permission, grants, kind, place, workspace, ends_at, at, actor_kind::text, actor_id, reason, more,
    is_cut OR (SELECT count(*) > $4 FROM page)
  FROM (
    SELECT *, bool_or(bytes > $6) OVER () AS is_cut
    FROM (
      SELECT s.*, c.*, sum(octet_length(json_build_array(s.permission, s.place, s.workspace, c.actor_id,
        c.reason)::text) + 256)
        OVER (ORDER BY s.permission) AS bytes
      FROM sources AS s
      LEFT JOIN LATERAL (
        SELECT c.at, c.actor_kind, c.actor_id, p.reason FROM journal_changes AS c
          LEFT JOIN journal_personal AS p USING (position)
        WHERE c.position = CASE
          WHEN s.kind = 'user' THEN s.entry
          WHEN s.entry IS NOT NULL AND s.joined IS NOT NULL THEN GREATEST(s.entry, s.joined)
        END
        LIMIT 1
      ) AS c ON true
      WHERE s.grants IS NOT NULL
    ) AS measured
  ) AS judged
  WHERE bytes <= $6
  ORDER BY permission, array_position(ARRAY['user', 'workspace', 'group'], kind), place;
END $$;
