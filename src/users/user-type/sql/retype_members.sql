-- Refreshes the types of users whose memberships have changed, and tells the changes as the journal does.
--
-- Most changes to one user change no type, and finding that out takes half the time of an UPDATE that finds nothing to
-- do. So the type of one user is compared before it is written.
--
-- Locks: as claim_user_type_rule. The caller has locked the users.
-- Returns the changes for the journal (null without any), the number of changed types, and whether an active
-- administrator has lost the type. Raises the error of claim_user_type_rule.
CREATE OR REPLACE FUNCTION retype_members(
  user_keys bigint[], rule text, OUT types journal_new_change[], OUT retyped integer, OUT demoted boolean
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM claim_user_type_rule(rule);
  retyped := 0;
  IF cardinality(user_keys) > 1 OR rule IS NOT NULL OR EXISTS (
    SELECT FROM derive_user_types(user_keys) AS derived JOIN users USING (key) WHERE users.type <> derived.type
  ) THEN
    SELECT
      array_agg(ROW(
        'user.type.changed', users, NULL, jsonb_build_object('type', before), jsonb_build_object('type', after)
      )::journal_new_change ORDER BY users[1] COLLATE "C"),
      bool_or(demotes), COALESCE(sum(cardinality(users)), 0)
    INTO types, demoted, retyped
    FROM (
      SELECT array_agg(user_id ORDER BY user_id COLLATE "C") AS users, before, after,
        bool_or(before = 'administrator' AND status = 'active') AS demotes
      FROM refresh_user_types($1, $2) GROUP BY before, after
    ) AS by_facts;
  END IF;
END $$;
