-- What tells a rule of user types from another: a hash of its query, or that it is the default rule (null).
--
-- Locks: nothing.
-- Returns the fingerprint.
CREATE OR REPLACE FUNCTION user_type_fingerprint(rule text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN rule IS NULL THEN 'default' ELSE encode(sha256(convert_to(rule, 'UTF8')), 'hex') END
$$;
