-- The type of a user by the clock: without memberships whose end has passed, although nothing has carried that out yet.
--
-- With an application's own rule of types, nobody knows it until then: an administrator counts as a guest, and any
-- other type stays.
--
-- Locks: nothing.
-- Returns the type.
CREATE OR REPLACE FUNCTION current_type(user_key bigint, type user_type) RETURNS user_type
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  IF type = 'guest' OR LEAST(
    (SELECT ends_at FROM workspace_memberships AS m WHERE m.user_key = $1 AND ends_at <= ends_clock()
      AND end_refused_at IS NULL ORDER BY ends_at LIMIT 1),
    (SELECT ends_at FROM group_memberships AS m WHERE m.user_key = $1 AND ends_at <= ends_clock()
      AND end_refused_at IS NULL ORDER BY ends_at LIMIT 1)
  ) IS NULL OR (type = 'administrator' AND kept_administrator(ends_clock()) = $1) THEN
    RETURN type;
  END IF;
  IF has_own_type_rule() THEN
    RETURN CASE WHEN type = 'administrator' THEN 'guest' ELSE type END;
  END IF;
  RETURN COALESCE((
    SELECT max(p.grants) FROM held_permissions() AS held JOIN permissions AS p ON p.key = held.permission_key
    WHERE held.user_key = $1
  ), 'guest');
END $$;
