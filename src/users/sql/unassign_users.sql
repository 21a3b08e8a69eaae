-- Removes each user from each group or, without groups, from each workspace and so from all its groups. Refreshes the types
-- of the users, and appends the changes to the journal. Users who are not members stay as they are.
--
-- It mirrors assign_users, whose file explains the arguments and the settings.
--
-- Locks: as assign_users: workspaces and groups FOR KEY SHARE, users FOR NO KEY UPDATE, each by key; then the administrator
-- guard if an administrator loses the type, and a chain of the journal.
-- Judges the caller after the locks, and raises the errors of judge_caller and require_administrator.
-- Returns one row, as assign_users: `done`, with the numbers of removed users and of changed types; or `unknown`.
CREATE OR REPLACE FUNCTION unassign_users(
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

  -- Without groups, one statement deletes both kinds of membership, so the foreign key finds no group membership to delete.
  WITH group_change AS (
    DELETE FROM group_memberships AS m USING unnest(user_keys) AS u
    WHERE m.user_key = u AND m.workspace_key = ANY (workspace_keys)
      AND (cardinality($3) = 0 OR m.group_key = ANY (group_keys))
    RETURNING m.user_key, m.workspace_key, m.group_key
  ), workspace_change AS (
    DELETE FROM workspace_memberships AS m USING unnest(user_keys) AS u
    WHERE cardinality($3) = 0 AND m.user_key = u AND m.workspace_key = ANY (workspace_keys)
    RETURNING m.user_key, m.workspace_key
  ), by_user AS (
    SELECT user_key,
      COALESCE(array_agg(w.id ORDER BY w.id COLLATE "C") FILTER (WHERE group_id IS NULL), '{}') AS workspaces,
      COALESCE(array_agg(group_id ORDER BY group_id COLLATE "C") FILTER (WHERE group_id IS NOT NULL), '{}') AS groups,
      array_agg(DISTINCT w.id COLLATE "C" ORDER BY w.id COLLATE "C") AS concerns
    FROM (
      SELECT user_key, workspace_key, NULL AS group_id FROM workspace_change
      UNION ALL
      SELECT user_key, c.workspace_key, g.id::text FROM group_change AS c JOIN groups AS g ON g.key = c.group_key
    ) AS change
    JOIN unnest(workspace_keys, known_workspaces) AS w (key, id) ON w.key = workspace_key
    GROUP BY user_key
  ), alike AS (
    SELECT array_agg(u.id ORDER BY u.id COLLATE "C") AS users, concerns, workspaces, groups
    FROM by_user JOIN unnest(user_keys, known_users) AS u (key, id) ON u.key = user_key
    GROUP BY concerns, workspaces, groups
  )
  SELECT array_agg(ROW(
    'user.workspaces.unassigned', users, concerns,
    jsonb_build_object('workspaces', workspaces, 'groups', groups), NULL
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
