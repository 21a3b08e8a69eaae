-- The clock by which ends are judged: the time of the transaction. A test directory replaces this function to move the
-- clock ahead.
--
-- Locks: nothing.
-- Returns the time.
CREATE OR REPLACE FUNCTION ends_clock() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT now() $$;
