-- Checks whether enough of the given ids are known: all of them, or with `lenient` at least one.
--
-- Locks: nothing.
-- Returns true also for an empty list.
CREATE OR REPLACE FUNCTION are_known(given text[], known text[], lenient boolean) RETURNS boolean
  LANGUAGE sql IMMUTABLE AS $$
  SELECT cardinality(known) >= CASE WHEN lenient THEN LEAST(cardinality(given), 1) ELSE cardinality(given) END
$$;
