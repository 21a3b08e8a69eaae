-- The last month for which the log has a partition, as positions begin with it.
--
-- Locks: nothing.
-- Returns the number of the month, or null if there is only the default partition.
CREATE OR REPLACE FUNCTION journal_last_month() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT max((substr(relname, 17, 4)::bigint - 2020) * 12 + substr(relname, 22)::bigint - 1)
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = 'journal_changes'::regclass AND relname <> 'journal_changes_default'
$$;
