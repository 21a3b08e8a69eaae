-- Whether the types of this directory are derived by an application's own rule.
--
-- Locks: nothing.
-- Returns true or false.
CREATE OR REPLACE FUNCTION has_own_type_rule() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM user_type_rule WHERE fingerprint <> 'default')
$$;
