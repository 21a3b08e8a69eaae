-- Whether a user effectively holds a permission at the moment: see held_permissions.
--
-- It hides that query from the statement that looks up the caller of every request: planning it there took longer than
-- all the rest of a request. The settings make PostgreSQL plan it once for each connection, with indexes.
--
-- Locks: nothing.
-- Returns true or false, and false for a permission that does not exist.
CREATE OR REPLACE FUNCTION holds_permission(user_key bigint, permission text) RETURNS boolean
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN EXISTS (
    SELECT FROM held_permissions() AS held JOIN permissions AS p ON p.key = held.permission_key
    WHERE held.user_key = $1 AND p.id = $2
  );
END $$;
