-- How many of these users, from the first on, have together at most `most` memberships that have passed; at least one.
--
-- Locks: nothing.
-- Returns the number, 0 without users.
CREATE OR REPLACE FUNCTION fitting_users(user_keys bigint[], most integer) RETURNS integer
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  of_user bigint;
  fitting integer := 0;
  memberships integer := 0;
BEGIN
  FOREACH of_user IN ARRAY COALESCE(user_keys, '{}') LOOP
    memberships := memberships + (
      SELECT count(*) FROM (
        (SELECT FROM workspace_memberships WHERE user_key = of_user AND ends_at <= ends_clock()
          ORDER BY ends_at LIMIT most)
        UNION ALL
        (SELECT FROM group_memberships WHERE user_key = of_user AND ends_at <= ends_clock() ORDER BY ends_at LIMIT most)
      ) AS due);
    EXIT WHEN memberships > most AND fitting > 0;
    fitting := fitting + 1;
  END LOOP;
  RETURN fitting;
END $$;
