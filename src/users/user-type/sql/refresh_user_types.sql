-- Writes the type of each user whose type differs from the rule.
--
-- `rule` is a query as `user-type-rule.ts` describes it; null means the default rule, derive_user_types.
-- `jit` is off: compiling the plan took 200 of the 270 ms for the types of 10,000 users.
--
-- Locks: as claim_user_type_rule. The caller has locked these users.
-- Returns the users whose type changed, with the type before and after. Raises the error of claim_user_type_rule.
CREATE OR REPLACE FUNCTION refresh_user_types(user_keys bigint[], rule text)
RETURNS TABLE (user_id text, status user_status, before user_type, after user_type)
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM claim_user_type_rule(rule);
  IF rule IS NULL THEN
    RETURN QUERY
      WITH derived AS MATERIALIZED (SELECT key, type FROM derive_user_types($1))
      UPDATE users SET type = derived.type, updated_at = GREATEST(now(), users.updated_at)
      FROM derived JOIN users AS old ON old.key = derived.key
      WHERE users.key = derived.key AND users.type <> derived.type
      RETURNING users.id::text, users.status, old.type, users.type;
  ELSE
    RETURN QUERY EXECUTE
      'WITH derived AS MATERIALIZED (' || rule || ')
       UPDATE users SET type = derived.type, updated_at = GREATEST(now(), users.updated_at)
       FROM derived JOIN users AS old ON old.key = derived.key
       WHERE users.key = derived.key AND users.type <> derived.type
       RETURNING users.id::text, users.status, old.type, users.type' USING $1;
  END IF;
END $$;
