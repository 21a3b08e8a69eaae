-- Adds users to workspaces and groups: the one writer of new memberships. A membership without a group is one of a
-- workspace; that of a group needs the one of its workspace, among these or before. `ends` are their ends, or null.
--
-- Existing memberships stay as they are. One that has ended, and that nothing has carried out yet, is made anew.
-- `may_end` tells whether any of these or of the directory has an end: see have_ends. Most have none, and then nothing
-- has to be compared. Without `tells`, only the rows are written: for users who are told with their places when they
-- are created.
--
-- Locks: nothing. The caller has locked the users and the places, and judged.
-- Returns the changes for the journal (null without any), and the number of users.
CREATE OR REPLACE FUNCTION add_memberships(
  user_keys bigint[], workspace_keys bigint[], group_keys bigint[], ends timestamptz[], may_end boolean,
  tells boolean,
  OUT changes journal_new_change[], OUT users integer
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  added record;
  revived record;
BEGIN
  IF may_end THEN
    WITH item AS MATERIALIZED (
      SELECT * FROM unnest($1, $2, $3, $4) AS item (user_key, workspace_key, group_key, ends_at)
    ), of_workspaces AS (
      UPDATE workspace_memberships AS m SET ends_at = item.ends_at, end_refused_at = NULL, since = DEFAULT,
        change = DEFAULT
      FROM item
      WHERE group_key IS NULL AND (m.user_key, m.workspace_key) = (item.user_key, item.workspace_key)
        AND has_ended(m.ends_at, m.end_refused_at)
      RETURNING m.user_key, m.workspace_key, NULL::bigint AS group_key
    ), of_groups AS (
      UPDATE group_memberships AS m SET ends_at = item.ends_at, end_refused_at = NULL, since = DEFAULT,
        change = DEFAULT
      FROM item
      WHERE (m.user_key, m.workspace_key, m.group_key) = (item.user_key, item.workspace_key, item.group_key)
        AND has_ended(m.ends_at, m.end_refused_at)
      RETURNING m.user_key, m.workspace_key, m.group_key
    )
    SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups
    INTO revived FROM (SELECT * FROM of_workspaces UNION ALL SELECT * FROM of_groups) AS both_kinds;
  END IF;
  -- The foreign keys are checked at the end of the statement, when both kinds of membership exist.
  WITH item AS MATERIALIZED (
    SELECT * FROM unnest($1, $2, $3, $4) AS item (user_key, workspace_key, group_key, ends_at)
  ), workspace_change AS (
    INSERT INTO workspace_memberships (user_key, workspace_key, ends_at)
    SELECT user_key, workspace_key, ends_at FROM item WHERE group_key IS NULL
    ON CONFLICT DO NOTHING RETURNING user_key, workspace_key, ends_at
  ), group_change AS (
    INSERT INTO group_memberships (user_key, workspace_key, group_key, ends_at)
    SELECT user_key, workspace_key, group_key, ends_at FROM item WHERE group_key IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING user_key, workspace_key, group_key, ends_at
  )
  SELECT item.*, told.changes AS changes, told.users AS told INTO added
  FROM (
    SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
      array_agg(ends_at) AS ends
    FROM (
      SELECT user_key, workspace_key, NULL::bigint AS group_key, ends_at FROM workspace_change
      UNION ALL SELECT * FROM group_change
    ) AS both_kinds
  ) AS item
  LEFT JOIN LATERAL (
    SELECT * FROM membership_changes('user.workspaces.assigned', item.users, item.workspaces, item.groups, item.ends)
    WHERE tells
  ) AS told ON true;
  changes := added.changes;
  users := added.told;
  IF may_end THEN
    added.users := added.users || revived.users;
    added.workspaces := added.workspaces || revived.workspaces;
    added.groups := added.groups || revived.groups;
    PERFORM bound_group_ends(added.users, added.workspaces);
    added.ends := ARRAY(
      SELECT CASE WHEN item.group_key IS NULL THEN w.ends_at ELSE g.ends_at END
      FROM unnest(added.users, added.workspaces, added.groups) WITH ORDINALITY AS item (user_key, workspace_key,
        group_key, nth)
      LEFT JOIN workspace_memberships AS w USING (user_key, workspace_key)
      LEFT JOIN group_memberships AS g USING (user_key, workspace_key, group_key)
      ORDER BY nth
    );
    SELECT told.changes, told.users INTO changes, users FROM membership_changes('user.workspaces.assigned',
      added.users, added.workspaces, added.groups, added.ends) AS told WHERE tells;
  END IF;
END $$;
