-- Adds each user to each workspace and each group, refreshes the types of the users, and appends the changes to the journal.
-- Existing memberships stay as they are.
--
-- The ids in each array are distinct. A record is known if its lock found it; the id null is never known. If anything is
-- unknown, nothing is written. With `lenient`, unknown ids are skipped, unless a list has no known id. Every statement sees
-- what was committed before it began (READ COMMITTED), so a read after a lock includes the changes that the lock waited for.
--
-- The settings make PostgreSQL plan this function once for each connection, with indexes. Otherwise it would plan statements
-- over arrays for every call, which took three quarters of the time of an assignment of one user; and on a small table it
-- would choose a sequential scan, and keep that plan when the table has grown. For the same reason `key + 0` prevents a walk
-- through the primary key to save a sort.
--
-- Locks: workspaces and groups FOR KEY SHARE (against deletion and changes of their permissions), users FOR NO KEY UPDATE,
-- each by key; then the administrator guard if an administrator loses the type, and a chain of the journal.
-- Judges the caller after the locks, and raises the errors of judge_caller and require_administrator.
-- Returns one row. Its outcome is `done`, with the numbers of assigned users and of changed types, and with `tell` the changes
-- in the format of the journal; or `unknown`. `unknown` and `lenient` include the ids of the known records.
CREATE OR REPLACE FUNCTION assign_users(
  user_ids text[], workspace_ids text[], group_ids text[], rule text, lenient boolean, tell boolean,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text
) RETURNS TABLE (
  outcome text, known_users text[], known_workspaces text[], known_groups text[], moved integer, retyped integer, changes jsonb
)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  workspace_keys bigint[];
  group_keys bigint[];
  group_workspaces bigint[];
  user_keys bigint[];
  memberships journal_new_change[];
  types journal_new_change[];
  demoted boolean;
BEGIN
  SELECT array_agg(key), COALESCE(array_agg(id), '{}') INTO workspace_keys, known_workspaces
  FROM (SELECT key, id::text FROM workspaces WHERE id = ANY ($2) ORDER BY key + 0 FOR KEY SHARE) AS locked;
  SELECT array_agg(key), COALESCE(array_agg(id), '{}'), array_agg(workspace_key)
  INTO group_keys, known_groups, group_workspaces
  FROM (
    SELECT key, id::text, workspace_key FROM groups WHERE id = ANY ($3) AND workspace_key + 0 = ANY (workspace_keys)
    ORDER BY key + 0 FOR KEY SHARE
  ) AS locked;
  SELECT array_agg(key), COALESCE(array_agg(id), '{}') INTO user_keys, known_users
  FROM (SELECT key, id::text FROM users WHERE id = ANY ($1) ORDER BY key + 0 FOR NO KEY UPDATE) AS locked;

  PERFORM judge_caller($7, $8);
  IF NOT (are_known($1, known_users, lenient) AND are_known($2, known_workspaces, lenient) AND are_known($3, known_groups, lenient)) THEN
    outcome := 'unknown';
    RETURN NEXT;
    RETURN;
  END IF;

  -- The foreign keys are checked at the end of the statement, when both kinds of membership exist.
  WITH workspace_change AS (
    INSERT INTO workspace_memberships (user_key, workspace_key)
    SELECT u, w FROM unnest(user_keys) AS u CROSS JOIN unnest(workspace_keys) AS w
    ON CONFLICT DO NOTHING RETURNING user_key, workspace_key
  ), group_change AS (
    INSERT INTO group_memberships (user_key, workspace_key, group_key)
    SELECT u, g.workspace_key, g.key
    FROM unnest(user_keys) AS u CROSS JOIN unnest(group_keys, group_workspaces) AS g (key, workspace_key)
    ON CONFLICT DO NOTHING RETURNING user_key, workspace_key, group_key
  ), by_user AS (
    SELECT user_key,
      COALESCE(array_agg(w.id ORDER BY w.id COLLATE "C") FILTER (WHERE group_key IS NULL), '{}') AS workspaces,
      COALESCE(array_agg(g.id ORDER BY g.id COLLATE "C") FILTER (WHERE group_key IS NOT NULL), '{}') AS groups,
      array_agg(DISTINCT w.id COLLATE "C" ORDER BY w.id COLLATE "C") AS concerns
    FROM (
      SELECT user_key, workspace_key, NULL AS group_key FROM workspace_change
      UNION ALL SELECT user_key, workspace_key, group_key FROM group_change
    ) AS change
    JOIN unnest(workspace_keys, known_workspaces) AS w (key, id) ON w.key = workspace_key
    LEFT JOIN unnest(group_keys, known_groups) AS g (key, id) ON g.key = group_key
    GROUP BY user_key
  ), alike AS (
    SELECT array_agg(u.id ORDER BY u.id COLLATE "C") AS users, concerns, workspaces, groups
    FROM by_user JOIN unnest(user_keys, known_users) AS u (key, id) ON u.key = user_key
    GROUP BY concerns, workspaces, groups
  )
  SELECT array_agg(ROW(
    'user.workspaces.assigned', users, concerns, NULL,
    jsonb_build_object('workspaces', workspaces, 'groups', groups)
  )::journal_new_change ORDER BY users[1] COLLATE "C"), COALESCE(sum(cardinality(users)), 0) INTO memberships, moved
  FROM alike;

  SELECT refreshed.types, refreshed.demoted, refreshed.retyped INTO types, demoted, retyped
  FROM refresh_member_types(user_keys, $4) AS refreshed;
  IF demoted THEN
    PERFORM id FROM administrator_guard FOR UPDATE;
    -- The guard may have taken time. A caller among the users is locked, and may just have given up the type.
    IF $8 <> ALL (known_users) THEN
      PERFORM judge_caller($7, $8);
    END IF;
    PERFORM require_administrator();
  END IF;
  PERFORM journal_append_changes($7, $8, $9, $10, $11, memberships || types);
  outcome := 'done';
  IF NOT lenient THEN
    known_users := NULL;
    known_workspaces := NULL;
    known_groups := NULL;
  END IF;
  IF tell THEN
    changes := COALESCE(to_jsonb(memberships || types), '[]');
  END IF;
  RETURN NEXT;
END $$;
