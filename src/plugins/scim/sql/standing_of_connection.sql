-- The current authority of the connection of an identity provider, as standing_of asks for it: it may change the
-- directory for as long as it exists. What it may not do, its own routes refuse.
--
-- Locks: the connection FOR KEY SHARE, so that it ends before or after the change.
-- Returns `administrator` or `nobody`.
CREATE OR REPLACE FUNCTION standing_of_connection(actor_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM key FROM scim_connections WHERE id = actor_id FOR KEY SHARE;
  RETURN CASE WHEN FOUND THEN 'administrator' ELSE 'nobody' END;
END $$;
