-- Sets the statuses that the staged file gives, of users who were there before. Who gets another end of an account that
-- has ended stays inactive.
--
-- Locks: nothing. The import has locked the users, and judged.
-- Returns the number of changed users; their changes are in `import_entries`.
CREATE OR REPLACE FUNCTION import_statuses() RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
  given record;
BEGIN
  SELECT array_agg(old.key) FILTER (WHERE new.status = 'active') AS active,
    array_agg(old.key) FILTER (WHERE new.status = 'inactive') AS inactive, count(*)::integer AS count
  INTO given
  FROM staged_records AS staged JOIN users AS old USING (id)
  CROSS JOIN LATERAL (SELECT COALESCE((record ->> 'status')::user_status, CASE
    WHEN record ? 'activeUntil' AND account_has_ended(old.key, old.type, old.active_until, old.end_refused_at)
      THEN 'inactive' ELSE old.status END) AS status) AS new
  WHERE staged.kind = 'user' AND new.status <> old.status;
  INSERT INTO import_entries (step, change)
  SELECT 2, change FROM unnest(set_statuses(given.active, 'active') || set_statuses(given.inactive, 'inactive'))
    AS change;
  RETURN given.count;
END $$;
