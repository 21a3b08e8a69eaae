-- Requires that the types of this directory are derived by this rule. The first change of a directory records a
-- fingerprint of its rule; `user-type-owner.ts` replaces it when another rule takes the directory over.
--
-- `rule` is a query as `user-type-rule.ts` describes it; null means the default rule.
--
-- Callers have locked the users whose types they write, and a take-over locks the whole table of users. So whoever
-- waited for one sees its fingerprint here.
--
-- Locks: the row of the fingerprint, if this is the first change.
-- Returns nothing; raises UA006 if the directory has another rule.
CREATE OR REPLACE FUNCTION claim_user_type_rule(rule text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own CONSTANT text := user_type_fingerprint(rule);
BEGIN
  IF EXISTS (SELECT FROM user_type_rule WHERE fingerprint = own) THEN
    RETURN;
  END IF;
  INSERT INTO user_type_rule (fingerprint) VALUES (own) ON CONFLICT DO NOTHING;
  IF NOT EXISTS (SELECT FROM user_type_rule WHERE fingerprint = own) THEN
    RAISE EXCEPTION 'the types of this directory are derived by another rule' USING ERRCODE = 'UA006';
  END IF;
END $$;
