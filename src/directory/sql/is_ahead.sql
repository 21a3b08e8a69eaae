-- Whether a time can be the end of a membership or an account: it lies ahead, and at most ten years.
--
-- Locks: nothing.
-- Returns true or false, and null for null.
CREATE OR REPLACE FUNCTION is_ahead(moment timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT moment > ends_clock() AND moment <= ends_clock() + interval '10 years'
$$;
