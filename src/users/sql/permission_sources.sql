-- Finds the sources of a page of the permissions of a user, and the origin of each.
--
-- The origin of a direct permission is its grant. The origin of a permission through a workspace or group is the later
-- of two changes: the user joined, or the workspace or group received the permission.
--
-- Only the sources on the page are explained: of the permissions after `after_id`, the first `page_limit`, and of each
-- the first `most_sources`. The page ends earlier with the permission before the one that would exceed `most_bytes`.
--
-- Locks: nothing.
-- Returns one row for each source: of kind `user`, `workspace` or `group`, with its id and, for a group, its workspace,
-- and with the end of the membership, if it has one. `since` is null for what is older than the numbers of changes, and
-- the actor if the journal does not know the change: see change_origin. `more` is the number of further sources of the
-- permission, and `has_next` tells whether permissions follow the page.
CREATE OR REPLACE FUNCTION permission_sources(
  user_key bigint, after_id text, page_limit integer, most_sources integer, most_bytes integer
) RETURNS TABLE (
  permission text, grants user_type, kind text, place text, workspace text,
  until timestamptz, since timestamptz, actor_kind text, actor_id text, reason text, more integer, has_next boolean
) LANGUAGE plpgsql STABLE SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  -- The end of the only administrator has not passed.
  is_kept CONSTANT boolean := EXISTS (SELECT FROM users WHERE key = $1 AND type = 'administrator')
    AND kept_administrator(ends_clock()) IS NOT DISTINCT FROM $1;
BEGIN
  RETURN QUERY WITH places AS MATERIALIZED (
    -- In the order of sources. The user comes before all of them, with the rank 0.
    SELECT *, row_number() OVER (ORDER BY array_position(ARRAY['workspace', 'group'], kind), place) AS rank
    FROM (
      SELECT 'workspace' AS kind, w.key, w.id::text COLLATE "C" AS place, NULL::text AS workspace, m.ends_at, m.since,
        m.change
      FROM workspace_memberships AS m JOIN workspaces AS w ON w.key = m.workspace_key
      WHERE m.user_key = $1 AND (is_kept OR NOT has_ended(m.ends_at, m.end_refused_at))
      UNION ALL
      SELECT 'group', g.key, g.id::text, w.id::text, m.ends_at, m.since, m.change
      FROM group_memberships AS m JOIN groups AS g ON g.key = m.group_key JOIN workspaces AS w
        ON w.key = m.workspace_key
      WHERE m.user_key = $1 AND (is_kept OR NOT has_ended(m.ends_at, m.end_refused_at))
    ) AS joined
  ), given AS NOT MATERIALIZED (
    SELECT h.permission_key, 0 AS rank, h.since, h.change FROM user_permissions AS h WHERE h.user_key = $1
    UNION ALL
    SELECT h.permission_key, rank, h.since, h.change
    FROM places JOIN workspace_permissions AS h ON h.workspace_key = places.key
    WHERE places.kind = 'workspace'
    UNION ALL
    SELECT h.permission_key, rank, h.since, h.change
    FROM places JOIN group_permissions AS h ON h.group_key = places.key
    WHERE places.kind = 'group'
  ), page AS MATERIALIZED (
    SELECT p.key, p.id FROM (SELECT DISTINCT permission_key FROM given) AS held
    CROSS JOIN LATERAL (
      SELECT key, id::text COLLATE "C" AS id FROM permissions WHERE key = held.permission_key LIMIT 1
    ) AS p
    WHERE $2 IS NULL OR p.id > $2
    ORDER BY p.id LIMIT $3 + 1
  ), held AS MATERIALIZED (
    SELECT COALESCE(places.kind, 'user') AS kind, places.place, places.workspace, places.ends_at, p.id AS permission,
      p.grants, source.more, later.since, later.change
    FROM (
      SELECT permission_key, rank, since, change,
        row_number() OVER (PARTITION BY permission_key ORDER BY rank) AS position,
        GREATEST(count(*) OVER (PARTITION BY permission_key) - $4, 0)::integer AS more
      -- IS TRUE keeps the page in a hash. A join could read everything that is given once for each permission.
      FROM given WHERE (permission_key IN (SELECT key FROM page ORDER BY id LIMIT $3)) IS TRUE
    ) AS source
    LEFT JOIN places USING (rank)
    CROSS JOIN LATERAL (
      SELECT id::text COLLATE "C" AS id, grants FROM permissions WHERE key = source.permission_key LIMIT 1
    ) AS p
    CROSS JOIN LATERAL (
      SELECT * FROM (SELECT source.since, source.change UNION ALL SELECT places.since, places.change) AS origin
      -- By number: a clock can go back.
      ORDER BY change DESC NULLS LAST LIMIT 1
    ) AS later
    WHERE source.position <= $4
  )
  SELECT permission, grants, kind, place, workspace, ends_at, since, actor_kind, actor_id, reason, more,
    is_cut OR (SELECT count(*) > $3 FROM page)
  FROM (
    SELECT *, bool_or(bytes > $5) OVER () AS is_cut
    FROM (
      SELECT held.*, origin.*, sum(octet_length(json_build_array(permission, place, workspace, origin.actor_id,
        origin.reason)::text) + 256) OVER (ORDER BY permission) AS bytes
      FROM held LEFT JOIN LATERAL change_origin(held.change) AS origin ON true
    ) AS measured
  ) AS judged
  WHERE bytes <= $5
  ORDER BY permission, array_position(ARRAY['user', 'workspace', 'group'], kind), place;
END $$;
