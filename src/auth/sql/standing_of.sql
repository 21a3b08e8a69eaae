-- The current authority of an actor: `administrator`, `user` (any other active user) or `nobody`.
--
-- The record of a user decides. A service needs no record and is an administrator, unless its subject is the id of a
-- user: then it is that user. A system actor, such as an import or the sender of webhooks, acts for the service itself.
-- The connection of an identity provider may change the directory for as long as it exists; what it may not do, its own
-- routes refuse.
--
-- A change calls this after its locks, so that it reads what was committed while the change waited.
--
-- Locks: a connection FOR KEY SHARE, so that it ends before or after the change; else nothing, so that busy callers can
-- still be deactivated.
-- Returns one of the three words.
CREATE OR REPLACE FUNCTION standing_of(actor_kind text, actor_id text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  actor users;
BEGIN
  IF actor_kind = 'system' THEN
    RETURN 'administrator';
  END IF;
  IF actor_kind = 'connection' THEN
    PERFORM key FROM scim_connections WHERE id = actor_id FOR KEY SHARE;
    RETURN CASE WHEN FOUND THEN 'administrator' ELSE 'nobody' END;
  END IF;
  SELECT * INTO actor FROM users WHERE id = actor_id;
  IF actor.key IS NULL THEN
    RETURN CASE actor_kind WHEN 'service' THEN 'administrator' ELSE 'nobody' END;
  END IF;
  RETURN CASE
    WHEN actor.status <> 'active' OR has_ended(actor.active_until, actor.end_refused_at) THEN 'nobody'
    WHEN actor.type = 'administrator' THEN 'administrator'
    ELSE 'user'
  END;
END $$;
