-- Adds each user to each workspace and each group, refreshes the types of the users, and appends the changes to the
-- journal. `until` is the end of the memberships that it makes, or null. Existing memberships stay as they are, but for
-- their ends: of two, the later one holds, and null takes it away. A membership without an end keeps none.
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
  item record;
  extended record;
  added record;
  may_end boolean;
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
  may_end := have_ends();
  IF may_end THEN
    SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
      array_agg(until) AS ends
    INTO extended FROM (
      SELECT user_key, workspace_key, NULL::bigint AS group_key, ends_at, end_refused_at FROM workspace_memberships
      WHERE ends_at IS NOT NULL AND user_key = ANY (locked.user_keys) AND workspace_key = ANY (locked.workspace_keys)
      UNION ALL
      SELECT user_key, workspace_key, group_key, ends_at, end_refused_at FROM group_memberships
      WHERE ends_at IS NOT NULL AND user_key = ANY (locked.user_keys) AND group_key = ANY (locked.group_keys)
    ) AS ending WHERE (until IS NULL OR ends_at < until) AND NOT has_ended(ends_at, end_refused_at);
    SELECT moved.changes INTO extensions
    FROM set_ends(extended.users, extended.workspaces, extended.groups, extended.ends) AS moved;
  END IF;
  SELECT array_agg(u) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
    array_agg(until) AS ends
  INTO item FROM unnest(locked.user_keys) AS u CROSS JOIN (
    SELECT workspace_key, NULL::bigint AS group_key FROM unnest(locked.workspace_keys) AS w (workspace_key)
    UNION ALL SELECT * FROM unnest(locked.group_workspaces, locked.group_keys)
  ) AS place;
  added := add_memberships(item.users, item.workspaces, item.groups, item.ends, may_end OR until IS NOT NULL,
    true);
  memberships := added.changes;
  moved := added.users;

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
