-- The ids under which the journal has entries about a user: the given id, and the earlier ids of the user that bears
-- it, or was deleted with it. An id can belong to one user after another, so an earlier id counts only while this user
-- bore it.
--
-- Entries of a renaming are about the previous id. The entries that count must be sealed.
--
-- Locks: nothing.
-- Returns for each id the positions that count, both inclusive: for the given id all of them. `began` is where this
-- user came to the id.
CREATE OR REPLACE FUNCTION journal_user_ids(user_id text)
  RETURNS TABLE (id text, since bigint, until bigint, began bigint)
LANGUAGE plpgsql STABLE ROWS 2 SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  last CONSTANT bigint := x'7fffffffffffffff'::bigint;
  borne text := user_id;
  upto bigint := last;
  left_at bigint;
  came record;
BEGIN
  -- No user bears the id: the last user that was deleted with it counts.
  IF NOT EXISTS (SELECT FROM users AS u WHERE u.id = borne) THEN
    SELECT c.position INTO left_at FROM journal_changes AS c
    WHERE c.user_id = borne AND c.action IN ('user.deleted', 'user.renamed') ORDER BY c.position DESC LIMIT 1;
    upto := COALESCE(left_at, upto);
    IF EXISTS (SELECT FROM journal_changes AS c WHERE c.position = left_at AND c.action = 'user.renamed') THEN
      RETURN QUERY SELECT borne, 0::bigint, last, left_at + 1;
      RETURN;
    END IF;
  END IF;
  LOOP
    SELECT c.position INTO left_at FROM journal_changes AS c
    WHERE c.user_id = borne AND c.action IN ('user.deleted', 'user.renamed') AND c.position < upto
      ORDER BY c.position DESC LIMIT 1;
    left_at := COALESCE(left_at, 0);
    SELECT c.position, c.before ->> 'id' AS id INTO came FROM journal_changes AS c
    WHERE c.action = 'user.renamed' AND (c.after ->> 'id') COLLATE "C" = borne AND c.position < upto
      AND c.position > left_at
    ORDER BY c.position DESC LIMIT 1;
    id := borne;
    began := COALESCE(came.position, left_at + 1);
    IF since IS NULL THEN
      since := 0;
      until := last;
    ELSE
      since := began;
      until := upto;
    END IF;
    RETURN NEXT;
    EXIT WHEN came.position IS NULL;
    borne := came.id;
    upto := came.position;
  END LOOP;
END $$;
