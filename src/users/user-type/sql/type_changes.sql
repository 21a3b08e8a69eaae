-- The entries of the journal for types of users: one for all users with the same types before and after.
-- PostgreSQL puts this query in the place of a call.
--
-- Locks: nothing.
-- Returns the changes; null without any.
CREATE OR REPLACE FUNCTION type_changes(user_ids text[], types_before user_type[], types_after user_type[])
RETURNS TABLE (changes journal_new_change[]) LANGUAGE sql STABLE AS $$
  SELECT array_agg(ROW(
    'user.type.changed', users, NULL, jsonb_build_object('type', before), jsonb_build_object('type', after)
  )::journal_new_change ORDER BY users[1] COLLATE "C") FROM (
    SELECT array_agg(id ORDER BY id COLLATE "C") AS users, before, after
    FROM unnest(user_ids, types_before, types_after) AS changed (id, before, after) GROUP BY before, after
  ) AS by_facts
$$;
