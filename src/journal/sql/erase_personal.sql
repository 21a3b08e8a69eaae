-- Removes the personal facts about all deleted users that ever bore an id, up to an entry: the email and display name
-- in the entries of the user, under other ids as well, and the reasons of all requests that concern the user, also
-- where they stand in entries of others. The log itself keeps the salted hash of each. Users that still exist, under
-- this id or another one, keep theirs.
--
-- `upto` is the entry of the erasure: it keeps its own reason.
--
-- Stored answers that show the user, or a status token for the user, are removed too: a repeated request is refused
-- as one with a reused key.
--
-- A row with both such a reason and facts about another user is removed completely. Only a change of the process itself
-- can have both.
--
-- Locks: the rows that it removes.
-- Returns nothing.
CREATE OR REPLACE FUNCTION erase_personal(borne text, upto bigint) RETURNS void
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  -- Who bore the id has left it.
  gone CONSTANT bigint[] := ARRAY(
    SELECT DISTINCT c.user_key FROM journal_changes AS c
    WHERE c.user_id = borne AND c.action IN ('user.deleted', 'user.renamed') AND EXISTS (
      SELECT FROM journal_changes AS deletion
      WHERE deletion.user_key = c.user_key AND deletion.action = 'user.deleted' AND deletion.position <= upto
    )
  );
  own bigint[];
BEGIN
  own := ARRAY(
    SELECT found.position FROM (
      SELECT DISTINCT c.user_id AS id, c.user_key AS key FROM journal_changes AS c
      WHERE c.user_key = ANY (gone) AND c.action IN ('user.deleted', 'user.renamed')
    ) AS lived CROSS JOIN LATERAL (
      SELECT c.position FROM journal_changes AS c WHERE c.user_id = lived.id AND c.user_key = lived.key
      UNION
      SELECT s.position FROM journal_subjects AS s JOIN journal_changes AS c USING (position)
      WHERE s.kind = 'u' AND s.subject = lived.id AND lived.key = ANY (c.user_keys)
    ) AS found
  );
  DELETE FROM journal_personal
  WHERE position = ANY (own) AND position < upto AND (reason IS NOT NULL OR jsonb_strip_nulls(before) <> '{}'
    OR jsonb_strip_nulls(after) <> '{}');
  DELETE FROM journal_personal AS personal USING (
    SELECT DISTINCT
      -- The beginning of a request may be in a month that was removed.
      COALESCE((SELECT position FROM journal_changes WHERE position <= entry AND NOT continues ORDER BY position DESC
        LIMIT 1), 0) AS begins,
      COALESCE((SELECT position FROM journal_changes WHERE position > entry AND NOT continues ORDER BY position
        LIMIT 1), upto + 1) AS ends
    FROM unnest(own) AS entry
  ) AS request
  WHERE personal.position >= begins AND personal.position < LEAST(ends, upto) AND reason IS NOT NULL;
  UPDATE idempotency_keys SET answer = '' WHERE subject IN (
    SELECT user_id FROM journal_changes WHERE user_key = ANY (gone) AND action IN ('user.deleted', 'user.renamed')
  );
END $$;
