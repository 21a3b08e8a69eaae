-- Bounds what one entry records: its lists have at most 1,000 ids together, and it names at most 1,000 workspaces. An
-- id has at most 255 characters, which JSON writes with at most six bytes each, so no entry reaches the 4 MiB of a
-- page.
--
-- A larger change becomes several. Changes of memberships and permissions are divided: each part has its share of the
-- ids, in order; parts in which no permission changed are left out. Others have cut lists, and beside them `more`, the
-- number of the ids that were cut. What was cut from the entry of a created or deleted user has entries of its own, as
-- if it had been changed after the creation or before the deletion.
--
-- Ends of memberships go with the ids of the memberships. A change of ends alone is divided by journal_end_parts.
--
-- Locks: nothing.
-- Returns the parts in order, or only the change itself if it is small enough.
CREATE OR REPLACE FUNCTION journal_parts(change journal_new_change) RETURNS journal_new_change[] LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT integer := 1000;
  names CONSTANT text[] := ARRAY['permissions', 'workspaces', 'groups'];
  -- An id that stands before and after counts twice.
  share CONSTANT integer := CASE WHEN change.before IS NULL OR change.after IS NULL THEN most ELSE most / 2 END;
  is_cut CONSTANT boolean :=
    change.action NOT IN ('user.workspaces.assigned', 'user.workspaces.unassigned')
      AND change.action NOT LIKE '%.permissions.changed';
  parts journal_new_change[];
BEGIN
  IF change.action IN ('user.workspaces.extended', 'user.workspaces.shortened') THEN
    RETURN journal_end_parts(change);
  END IF;
  IF COALESCE(cardinality(change.workspace_ids), 0) <= most AND (
    SELECT COALESCE(sum(jsonb_array_length(facts -> name)), 0) <= most
    FROM unnest(ARRAY[change.before, change.after]) AS facts CROSS JOIN unnest(names) AS name
  ) THEN
    RETURN ARRAY[change];
  END IF;

  WITH listed AS (
    SELECT nth, name, id, false AS is_after FROM unnest(names) WITH ORDINALITY AS list (name, nth)
    CROSS JOIN jsonb_array_elements_text(change.before -> name) AS id
    UNION ALL
    SELECT nth, name, id, true FROM unnest(names) WITH ORDINALITY AS list (name, nth)
    CROSS JOIN jsonb_array_elements_text(change.after -> name) AS id
  ), numbered AS (
    SELECT *, (row_number() OVER (ORDER BY nth, id COLLATE "C") - 1) / share AS part
    FROM (
      SELECT nth, name, id, bool_or(NOT is_after) AS before, bool_or(is_after) AS after FROM listed
        GROUP BY nth, name, id
    ) AS item
  ), assigned AS (
    SELECT *, CASE
      WHEN part = 0 OR NOT is_cut THEN change.action
      WHEN change.action IN ('user.created', 'user.deleted') AND name = 'permissions' THEN 'user.permissions.changed'
      WHEN change.action = 'user.created' THEN 'user.workspaces.assigned'
      WHEN change.action = 'user.deleted' THEN 'user.workspaces.unassigned'
    END AS action
    FROM numbered
  ), by_name AS (
    SELECT part, action, name, bool_or(before <> after) AS differs,
      COALESCE(array_agg(id ORDER BY id COLLATE "C") FILTER (WHERE before), '{}') AS before,
      COALESCE(array_agg(id ORDER BY id COLLATE "C") FILTER (WHERE after), '{}') AS after
    FROM assigned WHERE action IS NOT NULL GROUP BY part, action, name
  ), by_part AS (
    SELECT part, action, jsonb_object_agg(name, before) AS before, jsonb_object_agg(name, after) AS after,
      sum(cardinality(before)) AS count_before, sum(cardinality(after)) AS count_after
    FROM by_name GROUP BY part, action HAVING is_cut OR bool_or(differs)
  ), lists AS (
    -- An empty list in the place of each.
    SELECT COALESCE(jsonb_object_agg(name, '[]'::jsonb)
      FILTER (WHERE COALESCE(change.before, change.after) ? name), '{}') AS empty,
      sum(jsonb_array_length(change.before -> name)) AS count_before,
        sum(jsonb_array_length(change.after -> name)) AS count_after
    FROM unnest(names) AS name
  )
  SELECT array_agg(ROW(
    by_part.action, change.user_ids,
    CASE
      WHEN is_cut AND by_part.action = 'user.permissions.changed' THEN NULL
      WHEN by_part.action NOT IN ('user.workspaces.assigned', 'user.workspaces.unassigned')
        OR cardinality(change.workspace_ids) = 1 THEN change.workspace_ids[1:most]
      ELSE ARRAY(
        SELECT jsonb_array_elements_text(place -> 'workspaces') COLLATE "C"
          FROM unnest(ARRAY[by_part.before, by_part.after]) AS place
        UNION
        SELECT w.id FROM groups AS g JOIN workspaces AS w ON w.key = g.workspace_key WHERE g.id = ANY (ARRAY(
          SELECT jsonb_array_elements_text(place -> 'groups')
            FROM unnest(ARRAY[by_part.before, by_part.after]) AS place))
        ORDER BY 1
      )
    END,
    journal_with_ends(change.before -> 'until', CASE by_part.action
      WHEN change.action THEN change.before || lists.empty || by_part.before || CASE
        WHEN is_cut AND lists.count_before > by_part.count_before
          THEN jsonb_build_object('more', lists.count_before - by_part.count_before) ELSE '{}' END
      WHEN 'user.workspaces.unassigned' THEN '{"workspaces": [], "groups": []}' || by_part.before
      WHEN 'user.permissions.changed' THEN by_part.before
    END),
    journal_with_ends(change.after -> 'until', CASE by_part.action
      WHEN change.action THEN change.after || lists.empty || by_part.after || CASE
        WHEN is_cut AND lists.count_after > by_part.count_after
          THEN jsonb_build_object('more', lists.count_after - by_part.count_after) ELSE '{}' END
      WHEN 'user.workspaces.assigned' THEN '{"workspaces": [], "groups": []}' || by_part.after
      WHEN 'user.permissions.changed' THEN by_part.after
    END)
  )::journal_new_change ORDER BY by_part.action = 'user.deleted', part, by_part.action)
  INTO parts FROM by_part CROSS JOIN lists;
  RETURN parts;
END $$;
