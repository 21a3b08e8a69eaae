-- Sets the status of a user, or toggles it if `new_status` is null, and appends the change to the journal.
--
-- A status token is for the user who has its id since `token_user_since`, and of the issuer who has the granter's id
-- since `token_minter_since` (null for a service): it is void once one of them has been deleted or renamed, whoever has
-- the id then.
--
-- The caller must be active. The granter, whose token permits the change, must be an administrator; for a status token,
-- only its first use checks this. Both are judged after the locks and before the first write.
--
-- A status token is spent by one guarded write, whose row count decides: the first use changes the status, and a
-- repetition succeeds while the user still has the status in the token. Every refusal is raised, so that everything is
-- rolled back. `ExpiredStatusTokens` removes uses by the clock of the database, so a token that this clock finds so old
-- is refused here, even if the clock of the process finds it valid.
--
-- assign_users explains the settings.
--
-- Locks: the user, the administrator guard if an active administrator is deactivated.
-- Returns `changed`, or `unchanged` if the user already has the status. Raises UA001 if no active administrator would
-- be left, and UA002 if the change is not permitted.
CREATE OR REPLACE FUNCTION change_user_status(
  user_id text, new_status user_status, token_id text, token_expires_at timestamptz, token_user_since timestamptz,
  token_minter_since timestamptz,
  granter_kind text, granter_id text,
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text
) RETURNS text
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  subject users;
  target user_status;
  takes_administrator boolean;
  kept_administrator bigint;
  spends boolean := false;
  caller text;
  granter text;
  recorded journal_new_change[];
BEGIN
  SELECT * INTO subject FROM users WHERE id = $1 FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the user is unknown' USING ERRCODE = 'UA002';
  END IF;
  IF subject.id_since <> token_user_since THEN
    RAISE EXCEPTION 'the status token is for an earlier user with this id' USING ERRCODE = 'UA002';
  END IF;
  IF account_has_ended(subject.key, subject.type, subject.active_until, subject.end_refused_at) THEN
    subject.status := 'inactive';
  END IF;
  target := COALESCE(new_status, CASE subject.status WHEN 'active' THEN 'inactive' ELSE 'active' END::user_status);
  takes_administrator := target = 'inactive' AND subject.status = 'active' AND subject.type = 'administrator';
  IF takes_administrator THEN
    PERFORM id FROM administrator_guard FOR UPDATE;
    kept_administrator := kept_administrator('infinity');
  END IF;

  caller := standing_of(actor_kind, actor_id);
  granter := caller;
  IF caller = 'nobody' THEN
    RAISE EXCEPTION 'the caller has become inactive or unknown' USING ERRCODE = 'UA002';
  END IF;
  IF token_id IS NOT NULL THEN
    INSERT INTO spent_status_tokens (id, expires_at) VALUES (token_id, token_expires_at) ON CONFLICT DO NOTHING;
    spends := FOUND;
    IF spends AND token_expires_at < clock_timestamp() - interval '1 hour' THEN
      RAISE EXCEPTION 'the status token has expired' USING ERRCODE = 'UA002';
    END IF;
  END IF;
  IF token_id IS NULL OR spends THEN
    IF granter_kind <> actor_kind OR granter_id <> actor_id THEN
      granter := standing_of(granter_kind, granter_id);
    END IF;
    IF granter <> 'administrator' THEN
      RAISE EXCEPTION 'the granter of the permission is no longer an administrator' USING ERRCODE = 'UA002';
    END IF;
    -- After its standing: an issuer who still has the record had it when the standing was read.
    IF token_minter_since IS NOT NULL THEN
      PERFORM key FROM users WHERE id = granter_id AND id_since = token_minter_since;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the status token is of an earlier user with the id of its issuer' USING ERRCODE = 'UA002';
      END IF;
    END IF;
  ELSIF target <> subject.status THEN
    RAISE EXCEPTION 'the status token has been used' USING ERRCODE = 'UA002';
  END IF;

  IF target = subject.status THEN
    RETURN 'unchanged';
  END IF;
  recorded := set_statuses(ARRAY[subject.key], target);
  IF takes_administrator THEN
    PERFORM require_administrator(kept_administrator);
  END IF;
  PERFORM journal_append_changes(actor_kind, actor_id, granted_by, reason, request_id, traceparent, recorded);
  RETURN 'changed';
END $$;
