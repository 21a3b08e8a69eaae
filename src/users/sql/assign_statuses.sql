-- Sets the status of each user, and appends the changes to the journal. Users who already have the status stay as they
-- are. An account that has ended is inactive, even if nothing has carried it out yet.
--
-- assign_users explains the ids, `lenient`, `represented` and the settings.
--
-- Locks: the users by key, the administrator guard if an active administrator is deactivated.
-- Judges the caller after the locks, and raises the errors of judge_caller and require_administrator.
-- Returns one row. Its outcome is `done`, with the number of users whose status changed, and with `represented` the
-- changes in the format of the journal; or `unknown`. `unknown` and `lenient` include the ids of the known users.
CREATE OR REPLACE FUNCTION assign_statuses(
  user_ids text[], new_status user_status, lenient boolean, represented boolean,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text
) RETURNS TABLE (outcome text, known_users text[], changed integer, changes jsonb)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  changed_keys bigint[];
  takes_administrator boolean;
  kept_administrator bigint;
  facts journal_new_change[];
BEGIN
  SELECT COALESCE(array_agg(id), '{}'),
    array_agg(key) FILTER (WHERE status <> new_status),
    bool_or(new_status = 'inactive' AND status = 'active' AND type = 'administrator')
  INTO known_users, changed_keys, takes_administrator
  FROM (
    SELECT key, id::text, type,
      CASE WHEN account_has_ended(key, type, active_until, end_refused_at) THEN 'inactive' ELSE status END AS status
    FROM users WHERE id = ANY ($1) ORDER BY key + 0 FOR NO KEY UPDATE
  ) AS locked;

  PERFORM judge_caller($5, $6);
  IF NOT are_known($1, known_users, lenient) THEN
    outcome := 'unknown';
    RETURN NEXT;
    RETURN;
  END IF;
  IF takes_administrator THEN
    PERFORM id FROM administrator_guard FOR UPDATE;
    PERFORM judge_caller($5, $6);
    kept_administrator := kept_administrator('infinity');
  END IF;

  changed := COALESCE(cardinality(changed_keys), 0);
  IF changed > 0 THEN
    facts := set_statuses(changed_keys, new_status);
    IF takes_administrator THEN
      PERFORM require_administrator(kept_administrator);
    END IF;
    PERFORM journal_append_changes($5, $6, $7, $8, $9, $10, facts);
  END IF;
  outcome := 'done';
  IF NOT lenient THEN
    known_users := NULL;
  END IF;
  IF represented THEN
    changes := COALESCE(to_jsonb(facts), '[]');
  END IF;
  RETURN NEXT;
END $$;
