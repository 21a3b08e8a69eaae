-- A time as the API shows it: ISO 8601 in UTC, with milliseconds.
--
-- Locks: nothing.
-- Returns the text, and null for null.
CREATE OR REPLACE FUNCTION iso_time(moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
