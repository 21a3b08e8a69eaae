-- Whether any membership of the directory has an end. Without one, that costs a look at two empty indexes.
--
-- Locks: nothing.
-- Returns true or false.
CREATE OR REPLACE FUNCTION have_ends() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM workspace_memberships WHERE ends_at IS NOT NULL)
    OR EXISTS (SELECT FROM group_memberships WHERE ends_at IS NOT NULL);
END $$;
