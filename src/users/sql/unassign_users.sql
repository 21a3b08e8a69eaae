-- Removes each user from each group or, without groups, from each workspace and so from all its groups. Refreshes the
-- types of the users, and appends the changes to the journal. Users who are not members stay as they are.
--
-- With `until`, these memberships end then, unless they end earlier, and no type changes.
--
-- It mirrors assign_users, whose file explains the arguments and the settings.
--
-- Locks: as lock_assignment; then the administrator guard if an administrator loses the type.
-- Judges the caller after the locks, and raises the errors of judge_caller and require_administrator; with
-- `represented`, those of represented_changes, and UA005 if more than 100,000 memberships were removed, because users
-- who leave a workspace can leave many groups that no request names.
-- Returns one row, as assign_users: `done`, with the numbers of removed users and of changed types; or `unknown`.
CREATE OR REPLACE FUNCTION unassign_users(
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
  removed bigint;
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

  IF until IS NULL THEN
    kept_administrator := kept_before_writes(locked.user_keys);
  END IF;
  IF until IS NOT NULL THEN
    SELECT changes, shortened INTO memberships, removed FROM shorten_memberships(
      locked.user_keys, locked.workspace_keys,
      CASE WHEN cardinality($3) > 0 THEN COALESCE(locked.group_keys, '{}') END, until
    );
    moved := 0;
    retyped := 0;
  ELSE
    -- Without groups, one statement deletes both kinds of membership, so the foreign key finds no group membership to
    -- delete.
    WITH group_change AS (
      DELETE FROM group_memberships AS m USING unnest(locked.user_keys) AS u
      WHERE m.user_key = u AND m.workspace_key = ANY (locked.workspace_keys)
        AND (cardinality($3) = 0 OR m.group_key = ANY (locked.group_keys))
      RETURNING m.user_key, m.workspace_key, m.group_key, m.ends_at
    ), workspace_change AS (
      DELETE FROM workspace_memberships AS m USING unnest(locked.user_keys) AS u
      WHERE cardinality($3) = 0 AND m.user_key = u AND m.workspace_key = ANY (locked.workspace_keys)
      RETURNING m.user_key, m.workspace_key, m.ends_at
    ), gone AS (
      SELECT user_key, workspace_key, NULL::bigint AS group_key, ends_at FROM workspace_change
      UNION ALL SELECT user_key, workspace_key, group_key, ends_at FROM group_change
    )
    SELECT membership_changes('user.workspaces.unassigned',
      array_agg(user_key) FILTER (WHERE group_key IS NULL), array_agg(workspace_key) FILTER (WHERE group_key IS NULL),
      array_agg(user_key) FILTER (WHERE group_key IS NOT NULL),
      array_agg(workspace_key) FILTER (WHERE group_key IS NOT NULL),
      array_agg(group_key) FILTER (WHERE group_key IS NOT NULL),
      array_agg(ends_at) FILTER (WHERE group_key IS NULL), array_agg(ends_at) FILTER (WHERE group_key IS NOT NULL)
    ), count(DISTINCT user_key), count(*) INTO memberships, moved, removed FROM gone;
  END IF;
  IF represented AND removed > 100000 THEN
    RAISE EXCEPTION 'the result has too many memberships' USING ERRCODE = 'UA005';
  END IF;

  recorded := memberships;
  IF until IS NULL THEN
    refreshed := refresh_member_types(locked.user_keys, locked.known_users, rule, kept_administrator, actor_kind,
      actor_id);
    recorded := memberships || refreshed.types;
    retyped := refreshed.retyped;
  END IF;
  PERFORM journal_append_changes(actor_kind, actor_id, granted_by, reason, request_id, traceparent, recorded);
  outcome := 'done';
  IF represented THEN
    changes := represented_changes(recorded);
  END IF;
  RETURN NEXT;
END $$;
