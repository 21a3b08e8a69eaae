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
  ), by_facts AS (
    SELECT array_agg(id ORDER BY id COLLATE "C") AS users, before, after,
      bool_or(before = 'administrator' AND status = 'active') AS demotes
    FROM written GROUP BY before, after
  )
  SELECT array_agg(ROW(
      'user.type.changed', users, NULL, jsonb_build_object('type', before), jsonb_build_object('type', after)
    )::journal_new_change ORDER BY users[1] COLLATE "C"),
    COALESCE(sum(cardinality(users)), 0), COALESCE(bool_or(demotes), false)
  INTO types, retyped, demoted FROM by_facts;
END $$;
