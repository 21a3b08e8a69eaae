-- Gives a part of a change, for journal_parts, the ends of the memberships that it lists.
--
-- Locks: nothing.
-- Returns the facts of the part, with `until` if one of its memberships has an end.
CREATE OR REPLACE FUNCTION journal_with_ends(ends jsonb, facts jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  own jsonb;
BEGIN
  IF ends IS NULL OR facts IS NULL THEN
    RETURN facts;
  END IF;
  SELECT jsonb_object_agg(kind, (
    SELECT COALESCE(jsonb_object_agg(id, ends -> kind -> id), '{}')
    FROM jsonb_array_elements_text(facts -> kind) AS listed (id) WHERE ends -> kind ? id
  )) INTO own FROM unnest(ARRAY['workspaces', 'groups']) AS place (kind);
  RETURN facts - 'until' || CASE WHEN own = '{"workspaces": {}, "groups": {}}' THEN '{}'
    ELSE jsonb_build_object('until', own) END;
END $$;
