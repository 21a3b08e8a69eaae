-- The facts of a user that are personal: the sealer keeps them beside the log, and an erasure removes them.
-- `contract/record-fields.ts` declares the same fields as `isPersonal`.
--
-- Locks: nothing.
-- Returns their names.
CREATE OR REPLACE FUNCTION personal_facts() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['email', 'displayName']
$$;
