-- Refuses to leave the directory without an active administrator. Call it after any write that deactivates, demotes or
-- deletes an active administrator, in the same transaction.
--
-- Nobody counts whose access has ended: such a user has been told so, and would come back to life as the only
-- administrator. Only the one whom kept_administrator tells does, if that was so before the writes: `kept` is
-- `kept_administrator('infinity')` from after the locks and before the first write.
--
-- Two concurrent writes may each still see the administrator that the other one removes. The guard row makes them take
-- turns: the second one counts in a snapshot from after the first one's commit. An end that passes before the commit
-- must not have counted as ahead, so the guard looks a moment ahead.
--
-- Locks: the administrator guard, after all records.
-- Returns nothing; raises UA001 if no active administrator would be left.
CREATE OR REPLACE FUNCTION require_administrator(kept bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
BEGIN
  PERFORM id FROM administrator_guard FOR UPDATE;
  moment := ends_clock_now() + interval '250 milliseconds';
  IF NOT is_administered(moment, false) AND (kept = kept_administrator(moment)) IS NOT TRUE THEN
    RAISE EXCEPTION 'no active administrator would be left' USING ERRCODE = 'UA001';
  END IF;
END $$;
