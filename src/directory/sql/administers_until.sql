-- When a user of the type administrator, whose status is active, stopped being an active administrator because ends
-- have passed. The type follows these ends only when they are carried out.
--
-- By the default rule, the type lasts as long as any membership that gives it. What an application's own rule would say
-- without a membership is unknown, so with one, the first passed end of a membership counts.
--
-- An end that was refused has not passed. With `only_fresh`, this does not hold for those that are due to be tried
-- again: those that were refused a minute ago or earlier, or at a time that lies ahead because a clock was wrong.
--
-- Most administrators have no end: they cost a look into two indexes that hold nothing but ends.
--
-- Locks: nothing.
-- Returns the time, which is `infinity` for who still is an active administrator at `moment`.
CREATE OR REPLACE FUNCTION administers_until(
  user_key bigint, active_until timestamptz, end_refused_at timestamptz, moment timestamptz, only_fresh boolean
) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  fresh_from CONSTANT timestamptz := CASE WHEN only_fresh THEN moment - interval '1 minute' ELSE '-infinity' END;
  fresh_to CONSTANT timestamptz := CASE WHEN only_fresh THEN moment ELSE 'infinity' END;
  account_end CONSTANT timestamptz := CASE
    WHEN $2 <= moment AND ($3 > fresh_from AND $3 <= fresh_to) IS NOT TRUE THEN $2 ELSE 'infinity' END;
  first_end timestamptz;
BEGIN
  first_end := LEAST(
    (SELECT ends_at FROM workspace_memberships AS m WHERE m.user_key = $1 AND ends_at <= moment
      AND (end_refused_at > fresh_from AND end_refused_at <= fresh_to) IS NOT TRUE ORDER BY ends_at LIMIT 1),
    (SELECT ends_at FROM group_memberships AS m WHERE m.user_key = $1 AND ends_at <= moment
      AND (end_refused_at > fresh_from AND end_refused_at <= fresh_to) IS NOT TRUE ORDER BY ends_at LIMIT 1)
  );
  IF first_end IS NULL THEN
    RETURN account_end;
  END IF;
  IF has_own_type_rule() THEN
    RETURN LEAST(account_end, first_end);
  END IF;
  RETURN LEAST(account_end, COALESCE((
    SELECT max(CASE WHEN ends_at <= moment AND (end_refused_at > fresh_from AND end_refused_at <= fresh_to) IS NOT TRUE
      THEN ends_at ELSE 'infinity' END)
    FROM administrating_memberships($1) AS m
  ), '-infinity'));
END $$;
