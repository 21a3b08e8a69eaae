-- Makes the memberships of some users, and their ends, as the staged file lists them: of the next `most` users of the
-- file after `after_id`, in order of their ids. A list that a line does not have stays as it is, and so does the end of
-- a membership that is listed without one. What has ended, and nothing has carried out yet, is made anew.
--
-- New users have none before, and are told with their memberships, by their own entry.
--
-- Plans are of this import alone, because its temporary tables are. They must be kept for its duration: planning the
-- checks of the foreign keys anew for each row took most of the time.
--
-- Locks: nothing. The import has locked the users and places, and judged.
-- Returns the last of these users (null without any), and the number of memberships that were written; the changes are
-- in `import_entries`.
CREATE OR REPLACE FUNCTION import_memberships(after_id text, most integer, OUT last_id text, OUT written bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  leaving record;
  moving record;
  joining record;
  may_end boolean;
  gone record;
  moved record;
  added record;
BEGIN
  written := 0;
  SELECT max(id) INTO last_id
  FROM (SELECT id FROM staged_records WHERE kind = 'user' AND id > after_id ORDER BY id LIMIT most) AS part;
  IF last_id IS NULL THEN
    RETURN;
  END IF;

  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups
  INTO leaving FROM (
    SELECT m.user_key, m.workspace_key, NULL::bigint AS group_key
    FROM staged_records AS staged JOIN users_before USING (id) JOIN users AS u USING (id)
    JOIN workspace_memberships AS m ON m.user_key = u.key
    WHERE staged.kind = 'user' AND staged.id > after_id AND staged.id <= last_id AND staged.record ? 'workspaces'
      AND NOT EXISTS (
        SELECT FROM staged_links AS link JOIN workspaces AS w ON w.id = link.target
        WHERE link.kind = 'user' AND link.list = 'workspaces' AND link.id = staged.id AND w.key = m.workspace_key)
    UNION ALL
    SELECT m.user_key, m.workspace_key, m.group_key
    FROM staged_records AS staged JOIN users_before USING (id) JOIN users AS u USING (id)
    JOIN group_memberships AS m ON m.user_key = u.key
    WHERE staged.kind = 'user' AND staged.id > after_id AND staged.id <= last_id AND staged.record ? 'groups'
      AND NOT EXISTS (
        SELECT FROM staged_links AS link JOIN groups AS g ON g.id = link.target
        WHERE link.kind = 'user' AND link.list = 'groups' AND link.id = staged.id AND g.key = m.group_key)
  ) AS item;
  IF leaving.users IS NOT NULL THEN
    gone := remove_memberships(leaving.users, leaving.workspaces, leaving.groups, true);
    INSERT INTO import_entries (step, change) SELECT 3, change FROM unnest(gone.changes) AS change;
    written := written + gone.memberships;
  END IF;

  SELECT array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
    array_agg(ends_at) AS ends
  INTO moving FROM (
    SELECT m.user_key, m.workspace_key, NULL::bigint AS group_key, given.ends_at::timestamptz AS ends_at
    FROM staged_records AS staged JOIN users_before USING (id) JOIN users AS u USING (id)
    CROSS JOIN LATERAL jsonb_each_text(staged.record -> 'ends' -> 'workspaces') AS given (id, ends_at)
    JOIN workspaces AS w ON w.id = given.id
    JOIN workspace_memberships AS m ON (m.user_key, m.workspace_key) = (u.key, w.key)
    WHERE staged.kind = 'user' AND staged.id > after_id AND staged.id <= last_id AND staged.record ? 'ends'
      AND NOT has_ended(m.ends_at, m.end_refused_at) AND m.ends_at IS DISTINCT FROM given.ends_at::timestamptz
    UNION ALL
    SELECT m.user_key, m.workspace_key, m.group_key, given.ends_at::timestamptz
    FROM staged_records AS staged JOIN users_before USING (id) JOIN users AS u USING (id)
    CROSS JOIN LATERAL jsonb_each_text(staged.record -> 'ends' -> 'groups') AS given (id, ends_at)
    JOIN groups AS g ON g.id = given.id
    JOIN group_memberships AS m ON (m.user_key, m.workspace_key, m.group_key) = (u.key, g.workspace_key, g.key)
    WHERE staged.kind = 'user' AND staged.id > after_id AND staged.id <= last_id AND staged.record ? 'ends'
      AND NOT has_ended(m.ends_at, m.end_refused_at) AND m.ends_at IS DISTINCT FROM given.ends_at::timestamptz
  ) AS item;
  IF moving.users IS NOT NULL THEN
    moved := set_ends(moving.users, moving.workspaces, moving.groups, moving.ends);
    INSERT INTO import_entries (step, change)
    SELECT CASE (change).action WHEN 'user.workspaces.extended' THEN 6 ELSE 7 END, change
    FROM unnest(moved.changes) AS change;
    written := written + moved.memberships;
  END IF;

  FOR joining IN
    SELECT is_new, array_agg(user_key) AS users, array_agg(workspace_key) AS workspaces, array_agg(group_key) AS groups,
      array_agg(ends_at) AS ends
    FROM (
      SELECT before.id IS NULL AS is_new, u.key AS user_key, w.key AS workspace_key, NULL::bigint AS group_key,
        (staged.record #>> ARRAY['ends', 'workspaces', link.target])::timestamptz AS ends_at
      FROM staged_links AS link JOIN staged_records AS staged USING (kind, id) JOIN users AS u USING (id)
      JOIN workspaces AS w ON w.id = link.target LEFT JOIN users_before AS before ON before.id = staged.id
      WHERE link.kind = 'user' AND link.list = 'workspaces' AND link.id > after_id AND link.id <= last_id
        AND (before.id IS NULL OR NOT EXISTS (
          SELECT FROM workspace_memberships AS had WHERE had.user_key = u.key AND had.workspace_key = w.key
            AND NOT has_ended(had.ends_at, had.end_refused_at)))
      UNION ALL
      SELECT before.id IS NULL, u.key, g.workspace_key, g.key,
        (staged.record #>> ARRAY['ends', 'groups', link.target])::timestamptz
      FROM staged_links AS link JOIN staged_records AS staged USING (kind, id) JOIN users AS u USING (id)
      JOIN groups AS g ON g.id = link.target LEFT JOIN users_before AS before ON before.id = staged.id
      WHERE link.kind = 'user' AND link.list = 'groups' AND link.id > after_id AND link.id <= last_id
        AND (before.id IS NULL OR NOT EXISTS (
          SELECT FROM group_memberships AS had
          WHERE had.user_key = u.key AND had.workspace_key = g.workspace_key AND had.group_key = g.key
            AND NOT has_ended(had.ends_at, had.end_refused_at)))
      ORDER BY 2, 3, 4
    ) AS item GROUP BY is_new
  LOOP
    may_end := have_ends() OR cardinality(array_remove(joining.ends, NULL)) > 0;
    added := add_memberships(joining.users, joining.workspaces, joining.groups, joining.ends, may_end,
      NOT joining.is_new);
    INSERT INTO import_entries (step, change) SELECT 4, change FROM unnest(added.changes) AS change;
    written := written + cardinality(joining.users);
  END LOOP;
END $$;
