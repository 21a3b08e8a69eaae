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
  rising record;
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
    SELECT array_agg(key) AS keys, array_agg(earned) AS types INTO rising FROM users
    WHERE key = ANY ($1) AND type < earned;
    SELECT risen.types, risen.retyped INTO types, retyped FROM set_user_types(rising.keys, rising.types) AS risen;
  END IF;
END $$;
