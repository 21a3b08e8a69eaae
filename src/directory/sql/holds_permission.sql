-- Whether a user effectively holds a permission at the moment: see held_permissions.
--
-- It keeps that query out of find_callers, which calls it with its own settings: PostgreSQL opens every table of a plan
-- each time that it runs it, and an administrator needs none of these.
--
-- Locks: nothing.
-- Returns true or false, and false for a permission that does not exist.
CREATE OR REPLACE FUNCTION holds_permission(user_key bigint, permission text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN EXISTS (
    SELECT FROM held_permissions() AS held JOIN permissions AS p ON p.key = held.permission_key
    WHERE held.user_key = $1 AND p.id = $2
  );
END $$;
