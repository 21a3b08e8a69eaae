-- Notes the end of the administrator who stays (see kept_administrator) as refused, so that another id changes nothing:
-- of several whose access ended together, the greatest id stays. Call it before the id of a locked user changes.
--
-- The clock of ends stands still within a transaction. If the access of the last one has ended since this one began, it
-- has to begin again.
--
-- Locks: for an active administrator, the administrator guard and the record of the one who stays; else nothing.
-- Returns nothing; raises a serialization failure if the transaction has to begin again.
CREATE OR REPLACE FUNCTION settle_kept_administrator(user_key bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kept bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE key = user_key AND type = 'administrator' AND status = 'active') THEN
    RETURN;
  END IF;
  PERFORM id FROM administrator_guard FOR UPDATE;
  kept := kept_administrator(ends_clock());
  IF kept IS DISTINCT FROM kept_administrator(ends_clock_now()) THEN
    RAISE EXCEPTION 'the access of an administrator has ended meanwhile' USING ERRCODE = '40001';
  END IF;
  IF kept IS NOT NULL THEN
    PERFORM refuse_end(kept, has_own_type_rule());
  END IF;
END $$;
