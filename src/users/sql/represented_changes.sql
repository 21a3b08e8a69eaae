-- Returns changes in the format of the journal, for the `result` of assign_users and unassign_users. Users with the
-- same facts share them here, but not in the answer. So a result whose lists take more than 16 MiB, far more than it
-- may have, is refused before it is sent to the process, which measures the others.
--
-- Locks: nothing.
-- Returns a JSON array. Raises UA005.
CREATE OR REPLACE FUNCTION represented_changes(recorded journal_new_change[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  change journal_new_change;
  bytes bigint := 0;
BEGIN
  FOREACH change IN ARRAY COALESCE(recorded, '{}') LOOP
    bytes := bytes + cardinality(change.user_ids)
      * (COALESCE(octet_length(change.before::text), 0) + COALESCE(octet_length(change.after::text), 0))::bigint;
    IF bytes > 16777216 THEN
      RAISE EXCEPTION 'the result is too large' USING ERRCODE = 'UA005';
    END IF;
  END LOOP;
  RETURN COALESCE(to_jsonb(recorded), '[]');
END $$;
