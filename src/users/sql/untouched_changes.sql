-- What a request changed, and no later entry has touched: its memberships and statuses, for undo_request.
--
-- Each membership and each status has one row for each entry that changed it, from the request on; the undoable ones
-- have a single row, that of the request. A workspace or group that was created later is another record with the same
-- id. Of the users of the request, `subjects`, only those in `locked_users` count: a user can be renamed before the
-- caller locks the id. Later entries are read from the log by the indexes of the ids that the users have borne since
-- the request, and from the inbox. One statement reads both, so it sees each entry once, wherever it is.
--
-- Joins of arrays would compare all users with all keys, because the planner expects few elements. IS TRUE keeps the
-- known ones in a hash for the same reason.
--
-- Locks: nothing. The caller has locked the users, workspaces and groups.
-- Returns for each membership its workspace, its group if it is one of a group, whether the request added it (null if
-- it only moved its end), and the end that it had before; for each status what it was before.
CREATE OR REPLACE FUNCTION untouched_changes(
  begins bigint, ends bigint, subjects bigint[], locked_users bigint[], known_workspaces text[], known_groups text[],
  ends_actor text
) RETURNS TABLE (user_key bigint, workspace_key bigint, group_key bigint, was_added boolean, ends_before timestamptz,
  status_before user_status)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH known_users AS MATERIALIZED (
    SELECT unnest(subjects) AS key INTERSECT SELECT unnest(locked_users)
  ), borne AS MATERIALIZED (
    SELECT id FROM users WHERE key = ANY (locked_users)
    UNION
    SELECT user_id FROM journal_changes
    WHERE user_key = ANY (locked_users) AND action = 'user.renamed' AND position >= ends
  ), positions AS (
    SELECT position FROM journal_changes WHERE position >= begins AND position < ends
    UNION
    SELECT found.position FROM borne CROSS JOIN LATERAL (
      SELECT position FROM journal_changes WHERE user_id = borne.id AND position >= ends
      UNION ALL
      SELECT position FROM journal_subjects WHERE kind = 'u' AND subject = borne.id AND position >= ends
    ) AS found
  ), entries AS MATERIALIZED (
    SELECT c.position < ends AS is_of_request, c.action, COALESCE(c.before, c.after) AS facts,
      c.actor_id::text AS actor, COALESCE(c.user_keys, ARRAY[c.user_key]) AS users
    FROM positions AS p CROSS JOIN LATERAL (SELECT * FROM journal_changes AS c
      WHERE c.position = p.position OFFSET 0) AS c
    UNION ALL
    SELECT false, c.action, COALESCE(c.before, c.after), journal_inbox.actor_id::text, c.keys
    FROM journal_inbox CROSS JOIN LATERAL unnest(changes, user_keys)
      AS c (action, user_ids, workspace_ids, before, after, keys)
  ), created AS MATERIALIZED (
    SELECT c.action, c.id FROM unnest(known_workspaces || known_groups) AS known (id) CROSS JOIN LATERAL (
      SELECT action, COALESCE(after ->> 'group', workspace_id) AS id FROM journal_changes
      WHERE COALESCE(after ->> 'group', workspace_id) = known.id
        AND action IN ('workspace.created', 'group.created', 'workspace.permissions.changed',
          'group.permissions.changed')
        AND position >= ends
    ) AS c
    UNION ALL
    SELECT c.action, COALESCE(c.after ->> 'group', c.workspace_ids[1]) FROM journal_inbox
      CROSS JOIN LATERAL unnest(changes) AS c
  ), memberships AS (
    SELECT is_of_request, users, action = 'user.workspaces.assigned' AS was_added, 'workspaces' AS kind, id,
      facts #>> ARRAY['until', 'workspaces', id] AS ends_before
    FROM entries CROSS JOIN LATERAL jsonb_array_elements_text(facts -> 'workspaces') AS listed (id)
    WHERE action IN ('user.workspaces.assigned', 'user.workspaces.unassigned')
    UNION ALL
    SELECT is_of_request, users, action = 'user.workspaces.assigned', 'groups', id,
      facts #>> ARRAY['until', 'groups', id]
    FROM entries CROSS JOIN LATERAL jsonb_array_elements_text(facts -> 'groups') AS listed (id)
    WHERE action IN ('user.workspaces.assigned', 'user.workspaces.unassigned')
    UNION ALL
    SELECT is_of_request, users, NULL, kind, id, moved.until
    FROM entries CROSS JOIN (VALUES ('workspaces'), ('groups')) AS place (kind)
      CROSS JOIN LATERAL jsonb_each_text(facts -> kind) AS moved (id, until)
    WHERE action IN ('user.workspaces.extended', 'user.workspaces.shortened')
  ), touched AS (
    SELECT is_of_request, users, w.key AS workspace_key, NULL::bigint AS group_key, was_added, ends_before,
      NULL AS status_before
    FROM memberships JOIN workspaces AS w USING (id)
    WHERE kind = 'workspaces' AND (id IN (SELECT unnest(known_workspaces))) IS TRUE
      AND id NOT IN (SELECT id FROM created WHERE action = 'workspace.created')
    UNION ALL
    SELECT is_of_request, users, g.workspace_key, g.key, was_added, ends_before, NULL
    FROM memberships JOIN groups AS g USING (id)
    WHERE kind = 'groups' AND (id IN (SELECT unnest(known_groups))) IS TRUE
      AND id NOT IN (SELECT id FROM created WHERE action = 'group.created')
    UNION ALL
    SELECT is_of_request, users, NULL, NULL, NULL, NULL, facts ->> 'status' FROM entries
    WHERE action = 'user.status.changed'
    UNION ALL
    -- The end of an account that was inactive already: it would not be active now.
    SELECT is_of_request, users, NULL, NULL, NULL, NULL, 'inactive' FROM entries
    WHERE action = 'user.updated' AND actor = ends_actor
  )
  SELECT user_key, workspace_key, group_key, bool_and(was_added), min(ends_before)::timestamptz,
    min(status_before)::user_status
  FROM touched CROSS JOIN LATERAL unnest(users) AS changed (user_key)
  WHERE (user_key IN (SELECT key FROM known_users)) IS TRUE
  GROUP BY user_key, workspace_key, group_key
  HAVING count(*) = 1 AND bool_and(is_of_request);
END $$;
