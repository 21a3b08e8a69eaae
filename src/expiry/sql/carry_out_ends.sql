-- Carries out ends that have passed: takes users out of workspaces and groups, deactivates users, refreshes types and
-- appends to the journal, as unassign_users and assign_statuses do. One process at a time does so: another one returns
-- at once.
--
-- Due ends are found without locks. What is decided is decided from the rows that were locked: an end that has moved
-- meanwhile stays. A record that somebody else has locked is left to the next call, so this waits for nobody, but for
-- the administrator guard.
--
-- An end that would leave no active administrator is refused. If it is the only one of the call, that is noted, and the
-- end counts as not passed until a later call carries it out; otherwise nothing is done.
--
-- `most`, `skipped`, `is_retry` and `spares` are those of due_ends. assign_users explains `rule` and the settings.
--
-- Locks: the advisory lock of this job; workspaces and groups FOR KEY SHARE, users FOR NO KEY UPDATE, each by key; the
-- administrator guard, if an active administrator loses the status or the type.
-- Returns one row. Its outcome is `done`, `refused`, with the user, or `elsewhere`; `looked_at` is the number of due
-- ends, and `busy` that of those which it left to the next call.
CREATE OR REPLACE FUNCTION carry_out_ends(
  most integer, skipped integer, is_retry boolean, spares boolean, rule text,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text
) RETURNS TABLE (
  outcome text, looked_at integer, busy integer, unassigned integer, restated integer, retyped integer,
    refused_user text
)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  due record;
  workspaces_locked bigint[];
  groups_locked bigint[];
  locked record;
  gone_groups record;
  gone_workspaces record;
  statuses record;
  refreshed record;
  recorded journal_new_change[];
BEGIN
  looked_at := 0;
  busy := 0;
  unassigned := 0;
  restated := 0;
  retyped := 0;
  IF NOT pg_try_advisory_xact_lock(7225108023) THEN
    outcome := 'elsewhere';
    RETURN NEXT;
    RETURN;
  END IF;
  outcome := 'done';
  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
    count(*)::integer AS count INTO due FROM due_ends(most, skipped, is_retry, spares);
  looked_at := due.count;
  IF looked_at = 0 THEN
    RETURN NEXT;
    RETURN;
  END IF;

  BEGIN
    workspaces_locked := ARRAY(
      SELECT key FROM workspaces WHERE key = ANY (due.workspaces) ORDER BY key + 0 FOR KEY SHARE SKIP LOCKED);
    groups_locked := ARRAY(
      SELECT key FROM groups WHERE key = ANY (due.groups) ORDER BY key + 0 FOR KEY SHARE SKIP LOCKED);
    SELECT array_agg(key) AS keys, array_agg(id) AS ids INTO locked FROM (
      SELECT key, id::text FROM users WHERE key = ANY (due.users) ORDER BY key + 0 FOR NO KEY UPDATE SKIP LOCKED
    ) AS held;
    SELECT count(*) INTO busy
    FROM unnest(due.users, due.workspaces, due.groups) AS item (user_key, workspace_key, group_key)
    WHERE (user_key = ANY (locked.keys) AND (workspace_key IS NULL OR workspace_key = ANY (workspaces_locked))
      AND (group_key IS NULL OR group_key = ANY (groups_locked))) IS NOT TRUE;

    -- The groups of a workspace end with it.
    WITH item AS MATERIALIZED (
      SELECT * FROM unnest(due.users, due.workspaces, due.groups) AS item (user_key, workspace_key, group_key)
      WHERE user_key = ANY (locked.keys) AND workspace_key = ANY (workspaces_locked)
        AND (group_key IS NULL OR group_key = ANY (groups_locked))
    ), ended AS MATERIALIZED (
      SELECT item.* FROM item JOIN workspace_memberships AS m USING (user_key, workspace_key)
      WHERE item.group_key IS NULL AND m.ends_at <= ends_clock()
    ), group_change AS (
      DELETE FROM group_memberships AS m USING item
      WHERE (m.user_key, m.workspace_key) = (item.user_key, item.workspace_key) AND CASE WHEN item.group_key IS NULL
        THEN EXISTS (SELECT FROM ended WHERE (ended.user_key, ended.workspace_key) = (m.user_key, m.workspace_key))
        ELSE m.group_key = item.group_key AND m.ends_at <= ends_clock() END
      RETURNING m.user_key, m.workspace_key, m.group_key
    )
    SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups
    INTO gone_groups FROM group_change;
    WITH change AS (
      DELETE FROM workspace_memberships AS m
      USING unnest(due.users, due.workspaces, due.groups) AS item (user_key, workspace_key, group_key)
      WHERE item.group_key IS NULL AND m.user_key = item.user_key AND m.workspace_key = item.workspace_key
        AND m.user_key = ANY (locked.keys) AND m.workspace_key = ANY (workspaces_locked) AND m.ends_at <= ends_clock()
      RETURNING m.user_key, m.workspace_key
    )
    SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces INTO gone_workspaces FROM change;
    recorded := membership_changes('user.workspaces.unassigned', gone_workspaces.users, gone_workspaces.workspaces,
      gone_groups.users, gone_groups.workspaces, gone_groups.groups, NULL, NULL);
    unassigned := COALESCE((SELECT sum(cardinality(user_ids)) FROM unnest(recorded)), 0);

    WITH ended AS (
      UPDATE users AS u SET status = 'inactive', active_until = NULL, end_refused_at = NULL,
        updated_at = GREATEST(now(), u.updated_at)
      FROM unnest(due.users, due.workspaces) AS item (user_key, workspace_key) JOIN users AS old ON old.key = user_key
      WHERE workspace_key IS NULL AND u.key = user_key AND u.key = ANY (locked.keys) AND u.active_until <= ends_clock()
      RETURNING u.id::text, old.status, old.active_until, u.type
    ), by_facts AS (
      SELECT status, CASE status WHEN 'inactive' THEN active_until END AS until, bool_or(type = 'administrator')
        AS of_administrators, array_agg(id ORDER BY id COLLATE "C") AS users
      FROM ended GROUP BY 1, 2
    )
    SELECT array_agg(ROW(
        CASE status WHEN 'active' THEN 'user.status.changed' ELSE 'user.updated' END, users, NULL,
        CASE status WHEN 'active' THEN jsonb_build_object('status', 'active')
          ELSE jsonb_build_object('activeUntil', iso_time(until)) END,
        CASE status WHEN 'active' THEN jsonb_build_object('status', 'inactive')
          ELSE jsonb_build_object('activeUntil', NULL) END
      )::journal_new_change ORDER BY status, users[1] COLLATE "C") AS entries,
      COALESCE(sum(cardinality(users)) FILTER (WHERE status = 'active'), 0) AS users,
      COALESCE(bool_or(of_administrators AND status = 'active'), false) AS of_administrators
    INTO statuses FROM by_facts;
    restated := statuses.users;
    IF statuses.of_administrators THEN
      PERFORM require_administrator();
    END IF;
    IF recorded IS NOT NULL THEN
      refreshed := refresh_member_types(locked.keys, locked.ids, rule, actor_kind, actor_id);
      retyped := refreshed.retyped;
      recorded := recorded || statuses.entries || refreshed.types;
    ELSE
      recorded := statuses.entries;
    END IF;
    PERFORM journal_append_changes(actor_kind, actor_id, granted_by, reason, request_id, traceparent, recorded);
  EXCEPTION WHEN SQLSTATE 'UA001' THEN
    outcome := 'refused';
    unassigned := 0;
    restated := 0;
    retyped := 0;
    IF looked_at = 1 THEN
      UPDATE users SET end_refused_at = ends_clock() WHERE due.workspaces[1] IS NULL AND key = due.users[1];
      UPDATE workspace_memberships SET end_refused_at = ends_clock()
      WHERE user_key = due.users[1] AND workspace_key = due.workspaces[1] AND due.groups[1] IS NULL;
      -- The groups of the workspace would have ended with it.
      UPDATE group_memberships SET end_refused_at = ends_clock()
      WHERE user_key = due.users[1] AND workspace_key = due.workspaces[1] AND ends_at <= ends_clock()
        AND (due.groups[1] IS NULL OR group_key = due.groups[1]);
      SELECT id INTO refused_user FROM users WHERE key = due.users[1];
    END IF;
  END;
  RETURN NEXT;
END $$;
