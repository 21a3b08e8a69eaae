-- Whether an end has passed and is to be carried out: one that was refused is tried again after a minute, and if it was
-- refused at a time that lies ahead, because a clock was wrong.
--
-- PostgreSQL puts this expression in the place of a call.
--
-- Locks: nothing.
-- Returns true or false, and false without an end.
CREATE OR REPLACE FUNCTION is_due(ends_at timestamptz, end_refused_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT (ends_at <= ends_clock()
    AND (end_refused_at > ends_clock() - interval '1 minute' AND end_refused_at <= ends_clock()) IS NOT TRUE) IS TRUE
$$;
