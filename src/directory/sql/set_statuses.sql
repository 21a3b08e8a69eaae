-- Sets the status of users who have the other one. An end of the account that has passed goes: who is activated has
-- none, and who is deactivated has been carried out.
--
-- Locks: nothing. The caller has locked the users, judged, and chosen those whose status changes.
-- Returns the changes for the journal; null without any.
CREATE OR REPLACE FUNCTION set_statuses(user_keys bigint[], new_status user_status) RETURNS journal_new_change[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  changed text[];
BEGIN
  WITH written AS (
    UPDATE users SET status = new_status, updated_at = GREATEST(now(), updated_at),
      active_until = CASE WHEN active_until <= ends_clock() THEN NULL ELSE active_until END,
      end_refused_at = CASE WHEN active_until <= ends_clock() THEN NULL ELSE end_refused_at END
    WHERE key = ANY (user_keys) RETURNING id::text
  )
  SELECT array_agg(id ORDER BY id COLLATE "C") INTO changed FROM written;
  IF changed IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN ARRAY[ROW(
    'user.status.changed', changed, NULL,
    jsonb_build_object('status', CASE new_status WHEN 'active' THEN 'inactive' ELSE 'active' END),
    jsonb_build_object('status', new_status)
  )::journal_new_change];
END $$;
