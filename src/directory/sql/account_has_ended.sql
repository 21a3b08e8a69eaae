-- Whether the account of a user has ended, as has_ended, but for the administrator who stays: see kept_administrator.
--
-- PostgreSQL puts this expression in the place of a call.
--
-- Locks: nothing.
-- Returns true or false, and false without an end.
CREATE OR REPLACE FUNCTION account_has_ended(
  user_key bigint, type user_type, active_until timestamptz, end_refused_at timestamptz
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT has_ended(active_until, end_refused_at)
    AND (type <> 'administrator' OR user_key IS DISTINCT FROM kept_administrator(ends_clock()))
$$;
