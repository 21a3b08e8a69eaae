-- What users effectively hold: the permissions given to them, to each workspace that they are in, and to each of their
-- groups. A membership that has ended gives none, even if nothing has carried it out yet, but to the administrator who
-- stays (see kept_administrator); a type follows the rows.
--
-- PostgreSQL puts this query in the place of a call, so a condition on the user or the permission is searched by an
-- index. A join with many users is not: with one, deriving the types of 1,000 users took 800 ms instead of 50. So these
-- repeat the rule, and a test compares them with it: derive_user_types, permission_sources, and `holderOf` in
-- `records/list-filters.ts`.
--
-- Locks: nothing.
-- Returns one row for each way in which a user holds a permission.
CREATE OR REPLACE FUNCTION held_permissions() RETURNS TABLE (user_key bigint, permission_key bigint)
LANGUAGE sql STABLE AS $$
  SELECT h.user_key, h.permission_key FROM user_permissions AS h
  UNION ALL
  SELECT m.user_key, h.permission_key
  FROM workspace_memberships AS m JOIN workspace_permissions AS h USING (workspace_key)
  WHERE NOT (has_ended(m.ends_at, m.end_refused_at)
    AND m.user_key IS DISTINCT FROM (SELECT kept_administrator(ends_clock())))
  UNION ALL
  SELECT m.user_key, h.permission_key FROM group_memberships AS m JOIN group_permissions AS h USING (group_key)
  WHERE NOT (has_ended(m.ends_at, m.end_refused_at)
    AND m.user_key IS DISTINCT FROM (SELECT kept_administrator(ends_clock())))
$$;
