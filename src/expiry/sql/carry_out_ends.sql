-- Carries out ends that have passed, of a bounded number of users: takes them out of workspaces and groups, deactivates
-- accounts, refreshes types and appends to the journal, as unassign_users and assign_statuses do. One process at a time
-- does so: another one returns at once.
--
-- Due ends are found without locks. What is decided is decided from the rows that were locked: an end that has moved
-- meanwhile stays. This waits for nobody: a record that somebody else has locked is left to the next round, and so are
-- all administrators while somebody else holds the administrator guard. Behind a pooler this runs in a transaction of
-- several messages, which ends after a second without one: if its process stops, other processes go on.
--
-- An end that would leave no active administrator is refused: that is noted, and the end counts as not passed until a
-- later call carries it out. It would have counted so anyway: see kept_administrator. So what this carries out takes
-- authority from nobody who still had it. With an application's own rule of types, only carrying out tells what the
-- rule says: then the memberships of the one who stays are tried with all others, and if the type goes with them, this
-- is undone, they are noted, and the outcome is `again`.
--
-- `most`, `most_memberships`, `read_permission` and the four positions are those of due_ends. assign_users explains
-- `rule`. Its statements are planned anew each time, because a process that plans them while nothing ends would keep
-- plans for empty tables; due_ends, which is called every second, is planned once.
--
-- Locks: the advisory lock of this job; workspaces and groups FOR KEY SHARE, users FOR NO KEY UPDATE, each by key; the
-- administrator guard, if an administrator is among them.
-- Returns one row. Its outcome is `done`, `again` or `elsewhere`; `refused_user` is the one whose end was refused, and
-- the rest is where to go on.
CREATE OR REPLACE FUNCTION carry_out_ends(
  most integer, most_memberships integer, read_permission text,
  account_end timestamptz, account_user bigint, member_end timestamptz, member_user bigint, rule text,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text
) RETURNS TABLE (
  outcome text, unassigned integer, restated integer, retyped integer, refused_user text,
  next_account_end timestamptz, next_account_user bigint, next_member_end timestamptz, next_member_user bigint,
  more boolean
)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  due record;
  items record;
  workspaces_locked bigint[];
  groups_locked bigint[];
  locked bigint[];
  administrators bigint[];
  refusing bigint;
  ended record;
  gone record;
  accounts record;
  refreshed record;
  recorded journal_new_change[];
BEGIN
  unassigned := 0;
  restated := 0;
  retyped := 0;
  more := false;
  IF NOT pg_try_advisory_xact_lock(7225108023) THEN
    outcome := 'elsewhere';
    RETURN NEXT;
    RETURN;
  END IF;
  PERFORM set_config('idle_in_transaction_session_timeout', '1s', true);
  outcome := 'done';
  due := due_ends($1, $2, $3, $4, $5, $6, $7);
  next_account_end := due.next_account_end;
  next_account_user := due.next_account_user;
  next_member_end := due.next_member_end;
  next_member_user := due.next_member_user;
  more := due.more;
  IF cardinality(due.accounts || due.members) = 0 THEN
    RETURN NEXT;
    RETURN;
  END IF;

  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups
  INTO items FROM due_memberships(ARRAY(SELECT DISTINCT unnest(due.members)));
  workspaces_locked := ARRAY(
    SELECT key FROM workspaces WHERE key = ANY (ARRAY(SELECT DISTINCT unnest(items.workspaces))) ORDER BY key + 0
    FOR KEY SHARE SKIP LOCKED);
  groups_locked := ARRAY(
    SELECT key FROM groups WHERE key = ANY (ARRAY(SELECT DISTINCT unnest(items.groups))) ORDER BY key + 0
    FOR KEY SHARE SKIP LOCKED);
  SELECT array_agg(key), array_agg(key) FILTER (WHERE type = 'administrator' AND status = 'active')
  INTO locked, administrators FROM (
    SELECT key, type, status FROM users WHERE key = ANY (ARRAY(SELECT DISTINCT unnest(due.accounts || items.users)))
    ORDER BY key + 0 FOR NO KEY UPDATE SKIP LOCKED
  ) AS held;
  IF administrators IS NOT NULL THEN
    PERFORM id FROM administrator_guard FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      refusing := refusing_administrator();
    ELSE
      locked := ARRAY(SELECT unnest(locked) EXCEPT SELECT unnest(administrators));
    END IF;
    IF refusing = ANY (locked) THEN
      PERFORM refuse_end(refusing, false);
      SELECT id INTO refused_user FROM users WHERE key = refusing;
    ELSE
      refusing := NULL;
    END IF;
  END IF;

  BEGIN
    SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups
    INTO ended FROM unnest(items.users, items.workspaces, items.groups) AS item (user_key, workspace_key, group_key)
    JOIN unnest(locked) AS u (key) ON u.key = user_key JOIN unnest(workspaces_locked) AS w (key)
      ON w.key = workspace_key LEFT JOIN unnest(groups_locked) AS g (key) ON g.key = group_key
    LEFT JOIN workspace_memberships AS of_workspace USING (user_key, workspace_key)
    LEFT JOIN group_memberships AS of_group USING (user_key, workspace_key, group_key)
    WHERE CASE WHEN group_key IS NULL THEN is_due(of_workspace.ends_at, of_workspace.end_refused_at)
      ELSE g.key IS NOT NULL AND is_due(of_group.ends_at, of_group.end_refused_at) END;
    SELECT * INTO gone FROM remove_memberships(ended.users, ended.workspaces, ended.groups, false);
    unassigned := gone.users;

    SELECT array_agg(key) FILTER (WHERE status = 'active') AS active,
      array_agg(key) FILTER (WHERE status = 'inactive') AS inactive
    INTO accounts FROM unnest(due.accounts) AS account (key) JOIN unnest(locked) AS held (key) USING (key)
      JOIN users USING (key)
    WHERE is_due(active_until, end_refused_at);
    recorded := gone.changes || set_statuses(accounts.active, 'inactive') || drop_account_ends(accounts.inactive);
    restated := COALESCE(cardinality(accounts.active), 0);
    IF gone.memberships > 0 THEN
      refreshed := retype_members(ARRAY(SELECT DISTINCT unnest(ended.users)), rule);
      retyped := refreshed.retyped;
      recorded := recorded || refreshed.types;
      IF EXISTS (SELECT FROM users WHERE key = refusing AND type <> 'administrator') THEN
        RAISE EXCEPTION 'no active administrator would be left' USING ERRCODE = 'UA001';
      END IF;
    END IF;
    PERFORM journal_append_changes(actor_kind, actor_id, granted_by, reason, request_id, traceparent, recorded);
  EXCEPTION WHEN SQLSTATE 'UA001' THEN
    outcome := 'again';
    unassigned := 0;
    restated := 0;
    retyped := 0;
    PERFORM refuse_end(refusing, true);
  END;
  RETURN NEXT;
END $$;
