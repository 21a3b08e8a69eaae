-- Refreshes the types of users whose memberships have changed: for unassign_users, and for assign_users with an
-- application's own rule.
--
-- Most changes to one user change no type, and finding that out takes half the time of an UPDATE that finds nothing to
-- do. So the type of one user is compared before it is written.
--
-- Locks: as claim_user_type_rule; then the administrator guard if an active administrator loses the type. The caller of
-- this function has locked the users.
-- Returns the changes for the journal (null without any), and the number of changed types. Raises the errors of
-- claim_user_type_rule, judge_caller and require_administrator.
CREATE OR REPLACE FUNCTION refresh_member_types(
  user_keys bigint[], user_ids text[], rule text, actor_kind text, actor_id text,
  OUT types journal_new_change[], OUT retyped integer
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  demoted boolean;
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
      FROM refresh_user_types($1, $3) GROUP BY before, after
    ) AS by_facts;
  END IF;
  IF demoted THEN
    PERFORM id FROM administrator_guard FOR UPDATE;
    -- The guard may have taken time. A caller among the users is locked, and may just have given up the type.
    IF actor_id <> ALL (user_ids) THEN
      PERFORM judge_caller(actor_kind, actor_id);
    END IF;
    PERFORM require_administrator();
  END IF;
END $$;
