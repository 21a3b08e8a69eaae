-- The entries of the journal for memberships that were added or removed, which `add_memberships` and
-- `remove_memberships` return: one for all users with the same workspaces and groups, and the same ends of these. A
-- membership without a group is one of a workspace.
--
-- Users are compared by the keys of their places, and ids are looked up once for all users with the same ones.
-- PostgreSQL puts this query in the place of a call, so that the statement that writes also tells.
--
-- Locks: nothing.
-- Returns the changes, with the lists in `after` for `user.workspaces.assigned`, and else in `before` (null without
-- any), and the number of users.
CREATE OR REPLACE FUNCTION membership_changes(
  action text, user_keys bigint[], workspace_keys bigint[], group_keys bigint[], ends timestamptz[]
) RETURNS TABLE (changes journal_new_change[], users integer) LANGUAGE sql STABLE AS $$
  WITH by_user AS (
    SELECT user_key, array_agg(workspace_key) AS concerned,
      array_agg(workspace_key) FILTER (WHERE group_key IS NULL) AS workspaces, array_agg(group_key) AS groups,
      array_agg(ends_at) AS ends
    FROM (
      SELECT * FROM unnest($2, $3, $4, $5) AS item (user_key, workspace_key, group_key, ends_at)
      ORDER BY user_key, workspace_key, group_key
    ) AS sorted GROUP BY user_key
  ), by_facts AS (
    SELECT array_agg(user_key) AS users, concerned, workspaces, groups, ends FROM by_user
    GROUP BY concerned, workspaces, groups, ends
  ), told AS (
    SELECT ARRAY(SELECT id::text FROM users WHERE key = ANY (by_facts.users) ORDER BY id COLLATE "C") AS ids,
      ARRAY(SELECT id::text FROM workspaces WHERE key = ANY (concerned) ORDER BY id COLLATE "C") AS concerns,
      jsonb_build_object(
        'workspaces', ARRAY(SELECT id FROM workspaces WHERE key = ANY (by_facts.workspaces) ORDER BY id COLLATE "C"),
        'groups', ARRAY(SELECT id FROM groups WHERE key = ANY (by_facts.groups) ORDER BY id COLLATE "C")
      ) || CASE WHEN array_remove(ends, NULL) = '{}' THEN '{}'
        ELSE jsonb_build_object('until', ends_by_place(concerned, groups, ends)) END AS facts
    FROM by_facts
  )
  SELECT array_agg(ROW($1, ids, concerns, CASE WHEN $1 <> 'user.workspaces.assigned' THEN facts END,
      CASE WHEN $1 = 'user.workspaces.assigned' THEN facts END)::journal_new_change ORDER BY ids[1] COLLATE "C"),
    COALESCE(sum(cardinality(ids)), 0)::integer
  FROM told
$$;
