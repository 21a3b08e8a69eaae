-- The clock by which ends are judged, at this moment. ends_clock tells the beginning of the transaction, which may have
-- waited for locks since.
--
-- Locks: nothing.
-- Returns the time.
CREATE OR REPLACE FUNCTION ends_clock_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT ends_clock() + (clock_timestamp() - now())
$$;
