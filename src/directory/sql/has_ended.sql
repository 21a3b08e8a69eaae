-- Whether a membership, or the account of a user, has ended: its end has passed, even if nothing has carried it out
-- yet. An end that was refused, because it would leave no active administrator, has not ended anything.
--
-- PostgreSQL puts this expression in the place of a call.
--
-- Locks: nothing.
-- Returns true or false, and false without an end.
CREATE OR REPLACE FUNCTION has_ended(ends_at timestamptz, end_refused_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$ SELECT (ends_at <= ends_clock() AND end_refused_at IS NULL) IS TRUE $$;
