-- Takes users out of a workspace and its groups, or out of a group, and appends the changes to the journal: members of
-- a place that is deleted.
--
-- Locks: nothing. The caller has locked the users and the place, and judged.
-- Returns one row: the number of users who were in.
CREATE OR REPLACE FUNCTION take_members_out(
  user_keys bigint[], kind text, place_key bigint,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text
) RETURNS TABLE (unassigned integer)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  count CONSTANT integer := cardinality(user_keys);
  group_key CONSTANT bigint := CASE kind WHEN 'group' THEN place_key END;
  workspace_key CONSTANT bigint := CASE kind
    WHEN 'group' THEN (SELECT g.workspace_key FROM groups AS g WHERE g.key = place_key) ELSE place_key END;
  gone record;
BEGIN
  gone := remove_memberships(
    user_keys, array_fill(workspace_key, ARRAY[count]), array_fill(group_key, ARRAY[count]), true);
  PERFORM journal_append_changes(actor_kind, actor_id, granted_by, reason, request_id, traceparent, gone.changes);
  unassigned := gone.users;
  RETURN NEXT;
END $$;
