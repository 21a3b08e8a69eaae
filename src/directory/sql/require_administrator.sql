-- Refuses to leave the directory without an active administrator. Call it after any write that deactivates, demotes or
-- deletes an active administrator, in the same transaction.
--
-- Two concurrent writes may each still see the administrator that the other one removes. The guard row makes them take
-- turns: the second one counts in a snapshot from after the first one's commit.
--
-- Locks: the administrator guard, after all records.
-- Returns nothing; raises UA001 if no active administrator would be left.
CREATE OR REPLACE FUNCTION require_administrator() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM id FROM administrator_guard FOR UPDATE;
  IF NOT EXISTS (SELECT 1 FROM users WHERE type = 'administrator' AND status = 'active') THEN
    RAISE EXCEPTION 'no active administrator would be left' USING ERRCODE = 'UA001';
  END IF;
END $$;
