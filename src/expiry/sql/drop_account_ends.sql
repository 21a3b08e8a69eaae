-- Takes the ends of accounts away that were inactive already when these passed, for carry_out_ends.
--
-- Locks: nothing. The caller has locked the users.
-- Returns the changes for the journal; null without any.
CREATE OR REPLACE FUNCTION drop_account_ends(user_keys bigint[]) RETURNS journal_new_change[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  changes journal_new_change[];
BEGIN
  WITH ended AS (
    UPDATE users AS u SET active_until = NULL, end_refused_at = NULL, updated_at = GREATEST(now(), u.updated_at)
    FROM users AS old WHERE u.key = ANY (user_keys) AND old.key = u.key
    RETURNING u.id::text, old.active_until
  ), by_facts AS (
    SELECT active_until, array_agg(id ORDER BY id COLLATE "C") AS users FROM ended GROUP BY active_until
  )
  SELECT array_agg(ROW(
    'user.updated', users, NULL, jsonb_build_object('activeUntil', iso_time(active_until)),
    jsonb_build_object('activeUntil', NULL)
  )::journal_new_change ORDER BY users[1] COLLATE "C") INTO changes FROM by_facts;
  RETURN changes;
END $$;
