-- Adds each user to each workspace and each group, refreshes the types of the users, and appends the changes to the
-- journal. `until` is the end of the memberships that it makes, or null. Existing memberships stay as they are, but for
-- their ends: see extend_memberships. Without any end in the directory, that costs a look at two empty indexes.
--
-- The ids in each array are distinct. A record is known if its lock found it; the id null is never known. If anything
-- is unknown, nothing is written. With `lenient`, unknown ids are skipped, unless a list has no known id. Every
-- statement sees what was committed before it began (READ COMMITTED), so a read after a lock includes the changes that
-- the lock waited for.
--
-- The settings make PostgreSQL plan this function and those that it calls once for each connection, with indexes.
-- Otherwise it would plan statements over arrays for every call, which took three quarters of the time of an assignment
-- of one user; and on a small table it would choose a sequential scan, and keep that plan when the table has grown. For
-- the same reason `key + 0` prevents a walk through the primary key to save a sort.
--
-- Locks: as lock_assignment; then the administrator guard if an application's own rule takes the type from an
-- administrator. Judges the caller after the locks, and raises the errors of judge_caller, require_administrator and,
-- with `represented`, represented_changes.
-- Returns one row. Its outcome is `done`, with the numbers of assigned users and of changed types, and with
-- `represented` the changes in the format of the journal; or `unknown`. `unknown` and `lenient` include the ids of the
-- known records.
CREATE OR REPLACE FUNCTION assign_users(
  user_ids text[], workspace_ids text[], group_ids text[], rule text, lenient boolean, represented boolean,
  until timestamptz,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text
) RETURNS TABLE (
  outcome text, known_users text[], known_workspaces text[], known_groups text[], moved integer, retyped integer,
    changes jsonb
)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  locked record;
  refreshed record;
  memberships journal_new_change[];
  recorded journal_new_change[];
  extensions journal_new_change[];
  revived_users bigint[];
  revived_workspaces bigint[];
  revived_groups bigint[];
  kept_administrator bigint;
BEGIN
  -- The precision of a membership's end.
  until := date_trunc('milliseconds', until);
  IF NOT is_ahead(until) THEN
    RAISE EXCEPTION 'the end does not lie ahead' USING ERRCODE = 'UA007';
  END IF;
  locked := lock_assignment($1, $2, $3, lenient, actor_kind, actor_id);
  IF lenient OR NOT locked.are_known THEN
    known_users := locked.known_users;
    known_workspaces := locked.known_workspaces;
    known_groups := locked.known_groups;
  END IF;
  IF NOT locked.are_known THEN
    outcome := 'unknown';
    RETURN NEXT;
    RETURN;
  END IF;

  IF rule IS NOT NULL THEN
    kept_administrator := kept_before_writes(locked.user_keys);
  END IF;
  IF EXISTS (SELECT FROM workspace_memberships WHERE ends_at IS NOT NULL)
    OR EXISTS (SELECT FROM group_memberships WHERE ends_at IS NOT NULL)
  THEN
    SELECT * INTO extensions, revived_users, revived_workspaces, revived_groups
    FROM extend_memberships(locked.user_keys, locked.workspace_keys, locked.group_keys, until);
  END IF;
  -- The foreign keys are checked at the end of the statement, when both kinds of membership exist.
  WITH workspace_change AS (
    INSERT INTO workspace_memberships (user_key, workspace_key, ends_at)
    SELECT u, w, until FROM unnest(locked.user_keys) AS u CROSS JOIN unnest(locked.workspace_keys) AS w
    ON CONFLICT DO NOTHING RETURNING user_key, workspace_key
  ), group_change AS (
    INSERT INTO group_memberships (user_key, workspace_key, group_key, ends_at)
    SELECT u, g.workspace_key, g.key, until
    FROM unnest(locked.user_keys) AS u
      CROSS JOIN unnest(locked.group_keys, locked.group_workspaces) AS g (key, workspace_key)
    ON CONFLICT DO NOTHING RETURNING user_key, workspace_key, group_key
  ), by_user AS (
    SELECT user_key,
      COALESCE(array_agg(w.id ORDER BY w.id COLLATE "C") FILTER (WHERE group_key IS NULL), '{}') AS workspaces,
      COALESCE(array_agg(g.id ORDER BY g.id COLLATE "C") FILTER (WHERE group_key IS NOT NULL), '{}') AS groups,
      array_agg(DISTINCT w.id COLLATE "C" ORDER BY w.id COLLATE "C") AS concerns
    FROM (
      SELECT user_key, workspace_key, NULL AS group_key FROM workspace_change
      UNION ALL SELECT user_key, workspace_key, group_key FROM group_change
      UNION ALL SELECT * FROM unnest(revived_users, revived_workspaces, revived_groups)
    ) AS change
    JOIN unnest(locked.workspace_keys, locked.known_workspaces) AS w (key, id) ON w.key = workspace_key
    LEFT JOIN unnest(locked.group_keys, locked.known_groups) AS g (key, id) ON g.key = group_key
    GROUP BY user_key
  ), by_facts AS (
    SELECT array_agg(u.id ORDER BY u.id COLLATE "C") AS users, concerns, workspaces, groups
    FROM by_user JOIN unnest(locked.user_keys, locked.known_users) AS u (key, id) ON u.key = user_key
    GROUP BY concerns, workspaces, groups
  )
  SELECT array_agg(ROW(
    'user.workspaces.assigned', users, concerns, NULL,
    jsonb_build_object('workspaces', workspaces, 'groups', groups) || CASE WHEN until IS NULL THEN '{}'
      ELSE jsonb_build_object('until', ends_as_json(workspaces, groups, until)) END
  )::journal_new_change ORDER BY users[1] COLLATE "C"), COALESCE(sum(cardinality(users)), 0) INTO memberships, moved
  FROM by_facts;

  IF rule IS NULL THEN
    refreshed := raise_member_types(locked.user_keys, locked.lowest_type, locked.workspace_keys, locked.group_keys);
  ELSE
    refreshed := refresh_member_types(locked.user_keys, locked.known_users, rule, kept_administrator, actor_kind,
      actor_id);
  END IF;
  recorded := memberships || extensions || refreshed.types;
  PERFORM journal_append_changes(actor_kind, actor_id, granted_by, reason, request_id, traceparent, recorded);
  outcome := 'done';
  retyped := refreshed.retyped;
  IF represented THEN
    changes := represented_changes(recorded);
  END IF;
  RETURN NEXT;
END $$;
