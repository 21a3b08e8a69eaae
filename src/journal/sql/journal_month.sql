-- The month of a time in UTC, as positions begin with it: the number of months since January 2020.
--
-- Locks: nothing.
-- Returns the number.
CREATE OR REPLACE FUNCTION journal_month(at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT ((extract(year FROM at AT TIME ZONE 'UTC') - 2020) * 12 + extract(month
    FROM at AT TIME ZONE 'UTC') - 1)::bigint
$$;
