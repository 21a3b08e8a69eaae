-- Lets plugins take back what they keep of memberships that undo_request has just restored: it calls each function
-- `undo_besides_<plugin>` with its own arguments, in the order of their names. The function of a plugin that is left
-- out stays in the database, and goes on keeping its tables true.
--
-- `begins` is the position at which the undone request begins. A membership without a group is one of a
-- workspace.
--
-- Locks: nothing. The caller has locked the users; a plugin locks rows of its own tables alone.
-- Returns nothing.
CREATE OR REPLACE FUNCTION undo_besides(users bigint[], workspaces bigint[], groups bigint[], begins bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  besides regprocedure;
BEGIN
  FOR besides IN
    SELECT oid FROM pg_proc
    WHERE proname LIKE 'undo\_besides\_%' AND pronamespace = current_schema()::regnamespace ORDER BY proname
  LOOP
    EXECUTE format('SELECT %s($1, $2, $3, $4)', besides::regproc) USING users, workspaces, groups, begins;
  END LOOP;
END $$;
