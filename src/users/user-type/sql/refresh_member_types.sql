-- Refreshes the types of users whose memberships have changed, and keeps an administrator: for unassign_users, for
-- undo_request, and for assign_users with an application's own rule. require_administrator explains
-- `kept_administrator`.
--
-- Locks: as claim_user_type_rule; then the administrator guard if an active administrator loses the type. The caller of
-- this function has locked the users.
-- Returns the changes for the journal (null without any), and the number of changed types. Raises the errors of
-- claim_user_type_rule, judge_caller and require_administrator.
CREATE OR REPLACE FUNCTION refresh_member_types(
  user_keys bigint[], user_ids text[], rule text, kept_administrator bigint, actor_kind text, actor_id text,
  OUT types journal_new_change[], OUT retyped integer
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  refreshed CONSTANT record := retype_members(user_keys, rule);
BEGIN
  types := refreshed.types;
  retyped := refreshed.retyped;
  IF refreshed.demoted THEN
    PERFORM id FROM administrator_guard FOR UPDATE;
    -- The guard may have taken time. A caller among the users is locked, and may just have given up the type.
    IF actor_id <> ALL (user_ids) THEN
      PERFORM judge_caller(actor_kind, actor_id);
    END IF;
    PERFORM require_administrator(kept_administrator);
  END IF;
END $$;
