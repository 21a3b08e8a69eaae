-- Derives the types of the next `most` users after `after_id` whom the import affects, in order of their ids. New users
-- have got the types that their lines grant, so that most of them are not written twice; before they were guests.
--
-- `rule` is a query as `user-type-rule.ts` describes it; null means the default rule. A kept plan may be from a time
-- when the tables were small.
--
-- Locks: as claim_user_type_rule. The import has locked the users, and judged.
-- Returns the last of these users (null without any), and the number of types that were written; the changes are in
-- `import_entries`.
CREATE OR REPLACE FUNCTION import_types(
  after_id text, most integer, rule text, OUT last_id text, OUT written integer
) LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
  part record;
  derived record;
BEGIN
  SELECT max(id) AS last_id, array_agg(key) AS keys INTO part FROM (
    SELECT id, u.key FROM users_affected JOIN users AS u USING (id) WHERE id > after_id ORDER BY id LIMIT most
  ) AS found;
  last_id := part.last_id;
  written := 0;
  IF last_id IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO import_entries (step, change)
  SELECT 8, change FROM (
    SELECT array_agg(u.id::text) AS ids, array_agg('guest'::user_type) AS before, array_agg(u.type) AS after
    FROM users AS u LEFT JOIN users_before AS was USING (id)
    WHERE u.key = ANY (part.keys) AND was.id IS NULL AND u.type <> 'guest'
  ) AS given CROSS JOIN LATERAL type_changes(given.ids, given.before, given.after) AS told
  CROSS JOIN LATERAL unnest(told.changes) AS change;
  derived := retype_members(part.keys, rule);
  INSERT INTO import_entries (step, change) SELECT 8, change FROM unnest(derived.types) AS change;
  written := derived.retyped;
END $$;
