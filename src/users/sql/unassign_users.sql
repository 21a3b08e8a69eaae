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
  of_workspaces CONSTANT boolean := cardinality($3) = 0;
  locked record;
  item record;
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
    SELECT array_agg(u) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups
    INTO item FROM unnest(locked.user_keys) AS u CROSS JOIN (
      SELECT workspace_key, NULL::bigint AS group_key FROM unnest(locked.workspace_keys) AS w (workspace_key)
      WHERE of_workspaces
      UNION ALL SELECT * FROM unnest(locked.group_workspaces, locked.group_keys)
    ) AS place;
    SELECT gone.changes, gone.users, gone.memberships INTO memberships, moved, removed
    FROM remove_memberships(item.users, item.workspaces, item.groups, true) AS gone;
  ELSE
    SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
      array_agg(until) AS ends
    INTO item FROM (
      SELECT user_key, workspace_key, NULL::bigint AS group_key, ends_at FROM workspace_memberships
      WHERE of_workspaces AND user_key = ANY (locked.user_keys) AND workspace_key = ANY (locked.workspace_keys)
      UNION ALL
      SELECT user_key, workspace_key, group_key, ends_at FROM group_memberships
      WHERE user_key = ANY (locked.user_keys) AND workspace_key = ANY (locked.workspace_keys)
        AND (of_workspaces OR group_key = ANY (locked.group_keys))
    ) AS found WHERE ends_at IS NULL OR ends_at > until;
    SELECT shortened.changes, shortened.memberships INTO memberships, removed
    FROM set_ends(item.users, item.workspaces, item.groups, item.ends) AS shortened;
    moved := 0;
    retyped := 0;
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
