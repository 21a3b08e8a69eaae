-- Puts each user into each workspace and each group, refreshes the types of the users, and appends to the journal what
-- changed for whom. Memberships that exist already stay as they are. Nothing is written when anything is unknown, or when
-- `only_check` is set.
--
-- Every statement in here sees what was committed before it began (READ COMMITTED), so what is read after a lock includes
-- the changes that the lock waited for.
--
-- The settings make the plans of this function once for each connection, and make them use the indexes: PostgreSQL would
-- plan statements over arrays anew for every call, which took three quarters of the time of an assignment of one user; and
-- on a small table it would prefer to read all of it, and keep that plan when the table has grown.
--
-- Locks: workspaces and groups FOR KEY SHARE (none can vanish, nor change what it is permitted), users FOR NO KEY UPDATE,
-- each by id; then the administrator guard where an administrator loses the type, and a chain of the journal.
-- Returns one row: the ids that are unknown, or else how many users were assigned and how many changed their type. Returns
-- no row when nothing is unknown and `only_check` is set.
CREATE OR REPLACE FUNCTION assign_users(
  user_ids text[], workspace_ids text[], group_ids text[], only_check boolean, derivation text,
  actor_kind text, actor_id text, request_id text
) RETURNS TABLE (
  unknown_users text[], unknown_workspaces text[], unknown_groups text[], assigned integer, retyped integer
)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  known_workspaces integer;
  known_groups integer;
  known_users integer;
  memberships journal_new_entry[];
  types journal_new_entry[];
  demoted boolean;
BEGIN
  PERFORM id FROM workspaces WHERE id = ANY ($2) ORDER BY id FOR KEY SHARE;
  GET DIAGNOSTICS known_workspaces = ROW_COUNT;
  PERFORM id FROM groups WHERE id = ANY ($3) AND workspace_id = ANY ($2) ORDER BY id FOR KEY SHARE;
  GET DIAGNOSTICS known_groups = ROW_COUNT;
  PERFORM id FROM users WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE;
  GET DIAGNOSTICS known_users = ROW_COUNT;

  IF known_users < cardinality($1) OR known_workspaces < cardinality($2) OR known_groups < cardinality($3) THEN
    RETURN QUERY SELECT
      ARRAY(SELECT given FROM unnest($1) AS given WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = given)),
      ARRAY(SELECT given FROM unnest($2) AS given WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE id = given)),
      ARRAY(SELECT given FROM unnest($3) AS given
        WHERE NOT EXISTS (SELECT 1 FROM groups WHERE id = given AND workspace_id = ANY ($2))),
      NULL::integer, NULL::integer;
    RETURN;
  END IF;
  IF only_check THEN
    RETURN;
  END IF;

  -- The foreign keys are checked at the end of the statement, when both kinds of membership are there.
  WITH workspace_change AS (
    INSERT INTO workspace_memberships (user_id, workspace_id)
    SELECT u.id, w.id FROM unnest($1) AS u (id) CROSS JOIN unnest($2) AS w (id)
    ON CONFLICT DO NOTHING RETURNING user_id, workspace_id
  ), group_change AS (
    INSERT INTO group_memberships (user_id, group_id, workspace_id)
    SELECT u.id, g.id, g.workspace_id FROM unnest($1) AS u (id) CROSS JOIN groups AS g WHERE g.id = ANY ($3)
    ON CONFLICT DO NOTHING RETURNING user_id, workspace_id, group_id
  ), by_user AS (
    SELECT user_id,
      COALESCE(array_agg(workspace_id ORDER BY workspace_id) FILTER (WHERE group_id IS NULL), '{}') AS workspaces,
      COALESCE(array_agg(group_id ORDER BY group_id) FILTER (WHERE group_id IS NOT NULL), '{}') AS groups,
      array_agg(DISTINCT workspace_id::text ORDER BY workspace_id::text) AS concerns
    FROM (
      SELECT user_id, workspace_id, NULL AS group_id FROM workspace_change
      UNION ALL SELECT user_id, workspace_id, group_id FROM group_change
    ) AS change
    GROUP BY user_id
  )
  SELECT array_agg(ROW(
    'user.workspaces.assigned', user_id, concerns, NULL,
    jsonb_build_object('workspaces', workspaces, 'groups', groups)
  )::journal_new_entry ORDER BY user_id) INTO memberships FROM by_user;

  SELECT
    array_agg(ROW(
      'user.type.changed', user_id, NULL, jsonb_build_object('type', before), jsonb_build_object('type', after)
    )::journal_new_entry ORDER BY user_id),
    bool_or(before = 'administrator' AND status = 'active')
    INTO types, demoted FROM refresh_user_types($1, $5);
  IF demoted THEN
    PERFORM require_administrator();
  END IF;
  PERFORM journal_append($6, $7, NULL, NULL, $8, memberships || types);
  assigned := COALESCE(cardinality(memberships), 0);
  retyped := COALESCE(cardinality(types), 0);
  RETURN NEXT;
END $$;
