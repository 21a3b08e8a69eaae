-- The ends that an import has moved, of memberships that a user had before and has now: those that now end later or
-- never, and those that now end earlier. `before` and `now` are the fields of the user, as `user-facts.ts` builds them.
--
-- Locks: nothing.
-- Returns at most two rows, with the ends in the format of the journal, and the workspaces concerned.
CREATE OR REPLACE FUNCTION moved_ends(fields_before jsonb, fields_now jsonb)
RETURNS TABLE (extends boolean, concerns text[], before jsonb, after jsonb) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF COALESCE(fields_before -> 'until', '{}') = COALESCE(fields_now -> 'until', '{}') THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH item AS (
    SELECT kind, id, fields_before #>> ARRAY['until', kind, id] AS ends_before,
      fields_now #>> ARRAY['until', kind, id] AS ends_now
    FROM unnest(ARRAY['workspaces', 'groups']) AS place (kind)
    CROSS JOIN LATERAL jsonb_array_elements_text(fields_now -> kind) AS listed (id)
    WHERE fields_before -> kind ? id
  ), moved AS (
    SELECT *, (ends_now IS NULL OR ends_now > ends_before) IS TRUE AS extends FROM item
    WHERE ends_before IS DISTINCT FROM ends_now
  )
  SELECT moved.extends,
    ARRAY(
      SELECT m.id COLLATE "C" FROM moved AS m WHERE m.kind = 'workspaces' AND m.extends = moved.extends UNION
      SELECT w.id FROM moved AS m JOIN groups AS g ON g.id = m.id JOIN workspaces AS w ON w.key = g.workspace_key
      WHERE m.kind = 'groups' AND m.extends = moved.extends ORDER BY 1
    ),
    jsonb_build_object(
      'workspaces', COALESCE(jsonb_object_agg(id, ends_before) FILTER (WHERE kind = 'workspaces'), '{}'),
      'groups', COALESCE(jsonb_object_agg(id, ends_before) FILTER (WHERE kind = 'groups'), '{}')),
    jsonb_build_object(
      'workspaces', COALESCE(jsonb_object_agg(id, ends_now) FILTER (WHERE kind = 'workspaces'), '{}'),
      'groups', COALESCE(jsonb_object_agg(id, ends_now) FILTER (WHERE kind = 'groups'), '{}'))
  FROM moved GROUP BY moved.extends;
END $$;
