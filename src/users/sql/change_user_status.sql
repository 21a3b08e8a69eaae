-- Gives a user a status, or the other one than the user has when `new_status` is null, and appends that to the journal.
--
-- A status token is spent by one guarded write, whose row count is the verdict: first use, or a repetition, which succeeds
-- while the user still has the status that the token names. Every refusal is raised, so that everything is rolled back.
--
-- Locks: the user, the administrator guard where an active administrator is deactivated, a chain of the journal.
-- Returns the status that the user got; null when the user had it already. Raises UA001 when no active administrator would
-- be left, and UA002 when the change is not permitted.
CREATE OR REPLACE FUNCTION change_user_status(
  user_id text, new_status user_status, token_id text, token_expires_at timestamptz, minter_id text,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text
) RETURNS user_status
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  subject users;
  target user_status;
BEGIN
  SELECT * INTO subject FROM users WHERE id = $1 FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the user is unknown' USING ERRCODE = 'UA002';
  END IF;

  IF token_id IS NOT NULL THEN
    INSERT INTO spent_status_tokens (id, expires_at) VALUES (token_id, token_expires_at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      IF minter_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM users WHERE id = minter_id AND type = 'administrator' AND status = 'active'
      ) THEN
        RAISE EXCEPTION 'whoever gave the permission is no longer an administrator' USING ERRCODE = 'UA002';
      END IF;
    ELSIF subject.status <> new_status THEN
      RAISE EXCEPTION 'the status token has been used' USING ERRCODE = 'UA002';
    END IF;
  END IF;

  target := COALESCE(new_status, CASE subject.status WHEN 'active' THEN 'inactive' ELSE 'active' END::user_status);
  IF target = subject.status THEN
    RETURN NULL;
  END IF;
  UPDATE users SET status = target, updated_at = now() WHERE key = subject.key;
  IF target = 'inactive' AND subject.type = 'administrator' THEN
    PERFORM require_administrator();
  END IF;
  PERFORM journal_append($6, $7, $8, $9, $10, ARRAY[ROW(
    'user.status.changed', $1, NULL,
    jsonb_build_object('status', subject.status), jsonb_build_object('status', target)
  )::journal_new_entry]);
  RETURN target;
END $$;
