-- Derives the types of users whose permissions may have changed, and sets those that differ.
--
-- `rule` is a query as `user-type-rule.ts` describes it; null means the default rule, derive_user_types. Most changes
-- to one user change no type, and finding that out takes half the time of an UPDATE that finds nothing to do. `jit` is
-- off: compiling the plan took 200 of the 270 ms for the types of 10,000 users.
--
-- Locks: as claim_user_type_rule. The caller has locked the users.
-- Returns as set_user_types. Raises the error of claim_user_type_rule.
CREATE OR REPLACE FUNCTION retype_members(
  user_keys bigint[], rule text, OUT types journal_new_change[], OUT retyped integer, OUT demoted boolean
) LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  differing record;
BEGIN
  PERFORM claim_user_type_rule(rule);
  IF rule IS NULL THEN
    SELECT array_agg(key) AS keys, array_agg(derived.type) AS types INTO differing
    FROM derive_user_types($1) AS derived JOIN users USING (key) WHERE users.type <> derived.type;
  ELSE
    EXECUTE 'WITH derived AS MATERIALIZED (' || rule || ')
      SELECT array_agg(key) AS keys, array_agg(derived.type) AS types
      FROM derived JOIN users USING (key) WHERE users.type <> derived.type' INTO differing USING $1;
  END IF;
  SELECT * INTO types, retyped, demoted FROM set_user_types(differing.keys, differing.types);
END $$;
