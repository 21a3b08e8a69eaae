-- The ids under which the journal has entries about a user: the given id, and those that its bearer has left. The
-- bearer is the user who bears the id; if nobody does, the last one, if they were deleted with it.
--
-- The entries that count must be sealed.
--
-- Locks: nothing.
-- Returns the given id without a key: all entries under it count. Of another id, those of this key count, up to a
-- position.
CREATE OR REPLACE FUNCTION journal_ids_of(user_id text) RETURNS TABLE (id text, key bigint, until bigint)
LANGUAGE plpgsql STABLE ROWS 2 SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  bearer bigint;
BEGIN
  SELECT u.key INTO bearer FROM users AS u WHERE u.id = $1;
  IF NOT FOUND THEN
    SELECT CASE c.action WHEN 'user.deleted' THEN c.user_key END INTO bearer FROM journal_changes AS c
    WHERE c.user_id = $1 AND c.action IN ('user.deleted', 'user.renamed') ORDER BY c.position DESC LIMIT 1;
  END IF;
  RETURN QUERY
  SELECT $1, NULL::bigint, x'7fffffffffffffff'::bigint
  UNION ALL
  SELECT c.user_id, bearer, max(c.position) FROM journal_changes AS c
  WHERE c.user_key = bearer AND c.action = 'user.renamed' AND c.user_id <> $1 GROUP BY c.user_id;
END $$;
