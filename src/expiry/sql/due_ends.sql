-- Finds whose ends have passed, so that the first of them can be carried out: accounts, in the order of their ends;
-- users with memberships that make administrators or readers; and all other users with memberships, in the order of the
-- first end of each. Ends that were refused are due again after a minute, and if they were refused at a time that lies
-- ahead, because a clock was wrong.
--
-- Each part reads an index that holds nothing but ends, in its order and up to a limit, so the work does not grow with
-- what is due. `account_end` and `account_user` tell where the accounts were left, `member_end` and `member_user` where
-- the users with memberships were; they begin at -infinity and 0.
--
-- Locks: nothing.
-- Returns the keys, where to go on, and whether there can be more. `members` end before they have more than
-- `most_memberships` in all that are due, but for one user.
CREATE OR REPLACE FUNCTION due_ends(
  most integer, most_memberships integer, read_permission text,
  account_end timestamptz, account_user bigint, member_end timestamptz, member_user bigint,
  OUT accounts bigint[], OUT members bigint[],
  OUT next_account_end timestamptz, OUT next_account_user bigint,
  OUT next_member_end timestamptz, OUT next_member_user bigint, OUT more boolean
) LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  moment CONSTANT timestamptz := ends_clock();
  retried CONSTANT timestamptz := moment - interval '1 minute';
  first_ones bigint[];
  found record;
  fitting integer;
BEGIN
  SELECT array_agg(key) AS keys, max(due.active_until) AS until, count(*) AS count INTO found FROM (
    SELECT key, active_until FROM users
    WHERE active_until <= moment AND end_refused_at IS NULL AND (active_until, key) > (account_end, account_user)
    ORDER BY active_until, key LIMIT most
  ) AS due;
  next_account_end := COALESCE(found.until, account_end);
  next_account_user := COALESCE(found.keys[cardinality(found.keys)], account_user);
  more := found.count = most;
  accounts := found.keys || ARRAY(
    SELECT key FROM users WHERE (end_refused_at <= retried OR end_refused_at > moment) AND active_until <= moment
    LIMIT most);

  next_member_end := member_end;
  next_member_user := member_user;
  members := '{}';
  IF NOT EXISTS (SELECT FROM workspace_memberships WHERE ends_at <= moment)
    AND NOT EXISTS (SELECT FROM group_memberships WHERE ends_at <= moment)
  THEN
    RETURN;
  END IF;
  first_ones := ARRAY(
    SELECT due.user_key FROM (
      SELECT user_key, ends_at FROM (
        SELECT DISTINCT h.workspace_key FROM permissions AS p JOIN workspace_permissions AS h
          ON h.permission_key = p.key WHERE p.grants = 'administrator' OR p.id = read_permission
      ) AS place CROSS JOIN LATERAL (
        SELECT user_key, ends_at FROM workspace_memberships AS m
        WHERE m.workspace_key = place.workspace_key AND ends_at <= moment AND end_refused_at IS NULL
        ORDER BY ends_at, user_key LIMIT most
      ) AS of_workspace
      UNION ALL
      SELECT user_key, ends_at FROM (
        SELECT DISTINCT h.group_key FROM permissions AS p JOIN group_permissions AS h
          ON h.permission_key = p.key WHERE p.grants = 'administrator' OR p.id = read_permission
      ) AS place CROSS JOIN LATERAL (
        SELECT user_key, ends_at FROM group_memberships AS m
        WHERE m.group_key = place.group_key AND ends_at <= moment AND end_refused_at IS NULL
        ORDER BY ends_at, user_key LIMIT most
      ) AS of_group
      UNION ALL
      SELECT user_key, ends_at FROM workspace_memberships
        WHERE (end_refused_at <= retried OR end_refused_at > moment) AND ends_at <= moment
      UNION ALL
      SELECT user_key, ends_at FROM group_memberships
        WHERE (end_refused_at <= retried OR end_refused_at > moment) AND ends_at <= moment
    ) AS due GROUP BY due.user_key ORDER BY min(due.ends_at), due.user_key LIMIT most
  );
  members := first_ones[:fitting_users(first_ones, most_memberships)];

  WITH ends AS MATERIALIZED (
    SELECT user_key, ends_at FROM (
      (SELECT user_key, ends_at FROM workspace_memberships
        WHERE ends_at <= moment AND end_refused_at IS NULL AND (ends_at, user_key) > (member_end, member_user)
        ORDER BY ends_at, user_key LIMIT most_memberships)
      UNION ALL
      (SELECT user_key, ends_at FROM group_memberships
        WHERE ends_at <= moment AND end_refused_at IS NULL AND (ends_at, user_key) > (member_end, member_user)
        ORDER BY ends_at, user_key LIMIT most_memberships)
    ) AS both_kinds ORDER BY ends_at, user_key LIMIT most_memberships
  ), by_user AS (
    SELECT user_key, min(ends_at) AS first_end FROM ends GROUP BY user_key ORDER BY 2, 1 LIMIT most
  )
  SELECT array_agg(user_key) AS users, array_agg(first_end) AS first_ends,
    (SELECT count(*) FROM ends) AS count, (SELECT count(DISTINCT user_key) FROM ends) AS all_users,
    (SELECT max(ends_at) FROM ends) AS last_end,
    (SELECT user_key FROM ends ORDER BY ends_at DESC, user_key DESC LIMIT 1) AS last_user
  INTO found FROM by_user;
  IF found.count = 0 THEN
    RETURN;
  END IF;
  fitting := fitting_users(found.users, most_memberships);
  members := members || found.users[:fitting];
  IF fitting = found.all_users THEN
    next_member_end := found.last_end;
    next_member_user := found.last_user;
    more := more OR found.count = most_memberships;
  ELSE
    next_member_end := found.first_ends[fitting];
    next_member_user := found.users[fitting];
    more := true;
  END IF;
END $$;
