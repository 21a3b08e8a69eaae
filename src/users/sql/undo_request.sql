-- Undoes a request that assigned or unassigned users, moved ends of memberships, or changed statuses: everything that
-- its transaction wrote, whichever of its entries is given. Where one of its actions is `in_part`, it undoes the same
-- for users who existed before; users whom it created keep everything, and fields and grants stay. The journal must
-- have sealed it. Of what `ends_actor` did, only the ends of the user of this entry are undone, and what comes back has
-- no end.
--
-- Only what no later entry has touched is undone: see untouched_changes. A user who has got another id is found under
-- it. A workspace stays while the user is in a group of it, and a group comes back only to a user who is in its
-- workspace. What would have ended since is not given again, and an end that has passed does not come back. Plugins
-- take back what they keep of a membership: see undo_besides. assign_users explains the settings.
--
-- Locks: as lock_assignment; then the administrator guard if an active administrator is deactivated or loses the type.
-- Judges the caller after the locks, and raises the errors of judge_caller, require_administrator and, with
-- `represented`, represented_changes; and UA005 if the result would have more than 100,000 memberships.
-- Returns one row. Its outcome is `done`, with whether anything changed, the keys of the users of the request, the
-- numbers of changed users, and with `represented` the changes in the format of the journal and the number of records
-- with something that stays; or `unknown`, if there is no such entry; or `not_undoable`.
CREATE OR REPLACE FUNCTION undo_request(
  entry bigint, rule text, represented boolean, in_part text[], ends_actor text,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text
) RETURNS TABLE (
  outcome text, undone boolean, known_users text[], assigned integer, unassigned integer, restated integer,
    retyped integer, changes jsonb, kept integer
)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  may_be_anything boolean;
  undoable CONSTANT text[] := ARRAY['user.workspaces.assigned', 'user.workspaces.unassigned',
    'user.workspaces.extended', 'user.workspaces.shortened', 'user.status.changed'];
  -- What an end writes about other users of its transaction.
  beside CONSTANT text[] := ARRAY['user.type.changed', 'user.updated'];
  of_user bigint;
  begins bigint;
  ends bigint;
  workspace_ids text[];
  group_ids text[];
  subjects bigint[];
  sought text[];
  locked record;
  given record;
  leaving record;
  gone record;
  back record;
  added record;
  moved record;
  memberships bigint;
  statuses record;
  restatements journal_new_change[];
  refreshed record;
  kept_administrator bigint;
  recorded journal_new_change[];
BEGIN
  -- Up to the newest position, because what is sealed from now on belongs to other requests.
  SELECT
    (SELECT position FROM journal_changes WHERE position <= $1 AND NOT continues ORDER BY position DESC LIMIT 1),
    COALESCE(
      (SELECT position FROM journal_changes WHERE position > $1 AND NOT continues ORDER BY position LIMIT 1),
      (SELECT position + 1 FROM journal_changes ORDER BY position DESC LIMIT 1)
    )
  INTO begins, ends;
  may_be_anything := EXISTS (SELECT FROM journal_changes WHERE position = begins AND action = ANY (in_part));
  IF begins IS NULL OR NOT EXISTS (
    SELECT FROM (SELECT position, entries FROM journal_changes WHERE position <= $1 ORDER BY position DESC
      LIMIT 1) AS change
    WHERE $1 < position + entries
  ) THEN
    outcome := 'unknown';
  ELSIF NOT may_be_anything AND (EXISTS (
    SELECT FROM journal_changes WHERE position >= begins AND position < ends
      AND action <> ALL (undoable || CASE WHEN actor_id = ends_actor AND actor_kind = 'system' THEN beside
        ELSE beside[1:1] END)
  ) OR NOT EXISTS (
    SELECT FROM journal_changes WHERE position >= begins AND position < ends AND action = ANY (undoable)
  )) THEN
    outcome := 'not_undoable';
  END IF;
  IF outcome IS NOT NULL THEN
    PERFORM judge_caller($6, $7);
    RETURN NEXT;
    RETURN;
  END IF;

  -- The user of an entry within a change is at its place in the list.
  SELECT COALESCE(user_keys[($1 - position + 1)::integer], user_key) INTO of_user FROM (
    SELECT * FROM journal_changes WHERE position <= $1 ORDER BY position DESC LIMIT 1
  ) AS change WHERE actor_kind = 'system' AND actor_id = ends_actor;
  WITH request AS MATERIALIZED (
    SELECT CASE WHEN of_user IS NULL THEN COALESCE(user_keys, ARRAY[user_key]) ELSE ARRAY[of_user] END AS users,
      COALESCE(workspace_ids, array_remove(ARRAY[workspace_id], NULL)) AS workspaces,
      COALESCE(before, after) -> 'groups' AS groups
    FROM journal_changes WHERE position >= begins AND position < ends AND action = ANY (undoable)
      AND (of_user IS NULL OR of_user = ANY (COALESCE(user_keys, ARRAY[user_key])))
  ), listed AS MATERIALIZED (
    SELECT DISTINCT jsonb_array_elements_text(groups) AS id FROM request WHERE jsonb_typeof(groups) = 'array'
    UNION SELECT DISTINCT jsonb_object_keys(groups) FROM request WHERE jsonb_typeof(groups) = 'object'
  )
  SELECT ARRAY(SELECT DISTINCT unnest(users) FROM request EXCEPT SELECT unnest(COALESCE(user_keys, ARRAY[user_key]))
      FROM journal_changes WHERE position >= begins AND position < ends AND action = 'user.created'),
    ARRAY(
      SELECT unnest(workspaces) FROM request
      UNION SELECT w.id FROM listed JOIN groups AS g ON g.id = listed.id JOIN workspaces AS w ON w.key = g.workspace_key
    ),
    ARRAY(SELECT id FROM listed)
  INTO subjects, workspace_ids, group_ids;
  IF cardinality(subjects) = 0 AND NOT may_be_anything THEN
    outcome := 'not_undoable';
    PERFORM judge_caller($6, $7);
    RETURN NEXT;
    RETURN;
  END IF;
  known_users := subjects::text[];
  -- Who was deleted bears no id.
  sought := ARRAY(SELECT id FROM users WHERE key = ANY (subjects));
  locked := lock_assignment(sought, workspace_ids, group_ids, true, $6, $7);
  kept_administrator := kept_before_writes(locked.user_keys);

  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
    array_agg(was_added) AS were_added, array_agg(ends_before) AS ends, array_agg(status_before) AS statuses,
    bool_or(status_before = 'inactive' AND u.status = 'active'
      AND u.type = 'administrator') AS deactivates_administrator
  INTO given
  FROM untouched_changes(begins, ends, subjects, locked.user_keys, locked.known_workspaces, locked.known_groups,
    ends_actor)
  LEFT JOIN users AS u ON u.key = user_key AND status_before IS NOT NULL;
  IF given.deactivates_administrator THEN
    PERFORM id FROM administrator_guard FOR UPDATE;
    PERFORM judge_caller($6, $7);
  END IF;

  -- A workspace goes if no group is left in it. A group that has ended, and that nothing has carried out yet, does not
  -- keep its workspace.
  WITH item AS MATERIALIZED (
    SELECT * FROM unnest(given.users, given.workspaces, given.groups, given.were_added) AS item (user_key,
      workspace_key, group_key, was_added) WHERE was_added
  )
  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups
  INTO leaving FROM item WHERE group_key IS NOT NULL OR NOT EXISTS (
    SELECT FROM group_memberships AS g
    WHERE (g.user_key, g.workspace_key) = (item.user_key, item.workspace_key)
      AND NOT has_ended(g.ends_at, g.end_refused_at)
      AND ((g.user_key, g.group_key) IN (SELECT user_key, group_key FROM item WHERE group_key IS NOT NULL)) IS NOT TRUE
  );
  SELECT * INTO gone FROM remove_memberships(leaving.users, leaving.workspaces, leaving.groups, true);
  SELECT * INTO moved FROM move_ends_back(given.users, given.workspaces, given.groups, given.were_added, given.ends);
  WITH item AS MATERIALIZED (
    SELECT * FROM unnest(given.users, given.workspaces, given.groups, given.were_added, given.ends) AS item (user_key,
      workspace_key, group_key, was_added, ends_at)
    WHERE NOT was_added AND (ends_at IS NULL OR ends_at > ends_clock())
  )
  SELECT array_agg(item.user_key) AS users, array_agg(item.workspace_key) AS workspaces,
    array_agg(item.group_key) AS groups, array_agg(item.ends_at) AS ends
  INTO back FROM item
  LEFT JOIN workspace_memberships AS w ON (w.user_key, w.workspace_key) = (item.user_key, item.workspace_key)
  LEFT JOIN group_memberships AS g
    ON (g.user_key, g.workspace_key, g.group_key) = (item.user_key, item.workspace_key, item.group_key)
  WHERE CASE WHEN item.group_key IS NULL THEN w.user_key IS NULL
    ELSE g.user_key IS NULL AND (w.user_key IS NOT NULL OR ((item.user_key, item.workspace_key) IN (
      SELECT user_key, workspace_key FROM item WHERE group_key IS NULL
    )) IS TRUE) END;
  SELECT * INTO added FROM add_memberships(back.users, back.workspaces, back.groups, back.ends, true, true);
  PERFORM undo_besides(back.users, back.workspaces, back.groups, begins);
  recorded := gone.changes || added.changes || moved.changes;
  assigned := added.users;
  unassigned := gone.users;
  memberships := gone.memberships + COALESCE(cardinality(back.users), 0) + moved.memberships;
  IF represented AND memberships > 100000 THEN
    RAISE EXCEPTION 'the result has too many memberships' USING ERRCODE = 'UA005';
  END IF;
  IF memberships > 0 THEN
    refreshed := refresh_member_types(locked.user_keys, locked.known_users, $2, kept_administrator, $6, $7);
  END IF;

  SELECT array_agg(u.key) FILTER (WHERE item.status = 'active') AS active,
    array_agg(u.key) FILTER (WHERE item.status = 'inactive') AS inactive, count(*) AS count
  INTO statuses FROM unnest(given.users, given.statuses) AS item (key, status) JOIN users AS u USING (key)
  WHERE u.status <> item.status
    AND NOT (item.status = 'active' AND account_has_ended(u.key, u.type, u.active_until, u.end_refused_at));
  restated := statuses.count;
  restatements := set_statuses(statuses.active, 'active') || set_statuses(statuses.inactive, 'inactive');
  IF given.deactivates_administrator THEN
    PERFORM require_administrator(kept_administrator);
  END IF;

  recorded := recorded || restatements;
  retyped := 0;
  IF memberships > 0 THEN
    recorded := recorded || refreshed.types;
    retyped := refreshed.retyped;
  END IF;
  PERFORM journal_append_changes($6, $7, $8, $9, $10, $11, recorded);
  outcome := 'done';
  undone := COALESCE(cardinality(recorded) > 0, false);
  IF represented THEN
    changes := represented_changes(recorded);
    kept := records_kept(begins, ends);
  END IF;
  RETURN NEXT;
END $$;
