-- Raises the types of users who have just been assigned to places, for assign_users.
--
-- The rule is derive_user_types: the highest type that any permission of a user grants. New places only add
-- permissions, so the rule gives the higher of the type before and the highest that these places grant. Deriving it
-- from all permissions of 1,000 users who have six workspaces and eleven groups each took a tenth of the time of their
-- assignment.
--
-- Locks: as claim_user_type_rule. The caller of this function has locked the users and the places.
-- Returns the changes for the journal (null without any), and the number of changed types. Raises the error of
-- claim_user_type_rule.
CREATE OR REPLACE FUNCTION raise_member_types(
  user_keys bigint[], lowest_type user_type, workspace_keys bigint[], group_keys bigint[],
  OUT types journal_new_change[], OUT retyped integer
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  earned user_type;
BEGIN
  PERFORM claim_user_type_rule(NULL);
  retyped := 0;
  SELECT max(grants) INTO earned
  FROM (
    SELECT permission_key FROM workspace_permissions WHERE workspace_key = ANY ($3)
    UNION ALL
    SELECT permission_key FROM group_permissions WHERE group_key = ANY ($4)
  ) AS held JOIN permissions ON permissions.key = held.permission_key;
  IF lowest_type < earned THEN
    WITH raised AS (
      UPDATE users SET type = earned, updated_at = GREATEST(now(), users.updated_at)
      FROM users AS old WHERE old.key = ANY ($1) AND old.type < earned AND users.key = old.key
      RETURNING users.id::text AS user_id, old.type AS before
    ), by_facts AS (
      SELECT array_agg(user_id ORDER BY user_id COLLATE "C") AS users, before FROM raised GROUP BY before
    )
    SELECT array_agg(ROW(
      'user.type.changed', users, NULL, jsonb_build_object('type', before), jsonb_build_object('type', earned)
    )::journal_new_change ORDER BY users[1] COLLATE "C"), sum(cardinality(users)) INTO types, retyped
    FROM by_facts;
  END IF;
END $$;
