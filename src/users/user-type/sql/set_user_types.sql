-- Sets the types of users whose type differs: the one writer of types.
--
-- Locks: nothing. The caller has locked the users, judged, and called claim_user_type_rule before.
-- Returns the changes for the journal (null without any), the number of changed types, and whether an active
-- administrator has lost the type.
CREATE OR REPLACE FUNCTION set_user_types(
  user_keys bigint[], new_types user_type[], OUT types journal_new_change[], OUT retyped integer, OUT demoted boolean
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  retyped := 0;
  demoted := false;
  IF user_keys IS NULL THEN
    RETURN;
  END IF;
  WITH written AS (
    UPDATE users SET type = given.type, updated_at = GREATEST(now(), users.updated_at)
    FROM unnest($1, $2) AS given (key, type) JOIN users AS old USING (key)
    WHERE users.key = old.key AND old.type <> given.type
    RETURNING users.id::text AS id, old.type AS before, users.type AS after, users.status
  ), changed AS (
    SELECT array_agg(id) AS ids, array_agg(before) AS before, array_agg(after) AS after, count(*) AS count,
      COALESCE(bool_or(before = 'administrator' AND status = 'active'), false) AS demotes
    FROM written
  )
  SELECT told.changes, count, demotes INTO types, retyped, demoted
  FROM changed CROSS JOIN LATERAL type_changes(changed.ids, changed.before, changed.after) AS told;
END $$;
