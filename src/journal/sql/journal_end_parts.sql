-- Divides a change of ends, for journal_parts: each part has at most 500 memberships, which stand before and after.
--
-- Locks: nothing.
-- Returns the parts in order, or only the change itself if it is small enough.
CREATE OR REPLACE FUNCTION journal_end_parts(change journal_new_change) RETURNS journal_new_change[]
LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT integer := 500;
  parts journal_new_change[];
BEGIN
  WITH numbered AS (
    SELECT nth, kind, id, (row_number() OVER (ORDER BY nth, id COLLATE "C") - 1) / most AS part
    FROM unnest(ARRAY['workspaces', 'groups']) WITH ORDINALITY AS place (kind, nth)
    CROSS JOIN LATERAL jsonb_object_keys(change.before -> kind) AS listed (id)
  ), by_part AS (
    SELECT part,
      array_agg(id) FILTER (WHERE kind = 'workspaces') AS workspaces,
      array_agg(id) FILTER (WHERE kind = 'groups') AS groups
    FROM numbered GROUP BY part
  ), concerned AS (
    SELECT *, ARRAY(
      SELECT unnest(workspaces) COLLATE "C" UNION
      SELECT w.id FROM groups AS g JOIN workspaces AS w ON w.key = g.workspace_key WHERE g.id = ANY (by_part.groups)
      ORDER BY 1
    ) AS workspace_ids FROM by_part
  )
  SELECT array_agg(ROW(change.action, change.user_ids, workspace_ids, facts.before, facts.after)::journal_new_change
    ORDER BY part) INTO parts
  FROM concerned CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
        'workspaces', (SELECT COALESCE(jsonb_object_agg(id, change.before -> 'workspaces' -> id), '{}')
          FROM unnest(workspaces) AS id),
        'groups', (SELECT COALESCE(jsonb_object_agg(id, change.before -> 'groups' -> id), '{}')
          FROM unnest(concerned.groups) AS id)
      ) AS before,
      jsonb_build_object(
        'workspaces', (SELECT COALESCE(jsonb_object_agg(id, change.after -> 'workspaces' -> id), '{}')
          FROM unnest(workspaces) AS id),
        'groups', (SELECT COALESCE(jsonb_object_agg(id, change.after -> 'groups' -> id), '{}')
          FROM unnest(concerned.groups) AS id)
      ) AS after
  ) AS facts;
  RETURN parts;
END $$;
