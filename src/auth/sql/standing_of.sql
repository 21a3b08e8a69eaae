-- The current authority of an actor: `administrator`, `user` (any other active user) or `nobody`.
--
-- The record of a user decides, without what has ended at this moment: an end can pass while a change waits for a lock.
-- A service needs no record and is an administrator, unless its subject is the id of a user: then it is that user. A
-- system actor, such as an import or the sender of webhooks, acts for the service itself. The connection of an identity
-- provider may change the directory for as long as it exists; what it may not do, its own routes refuse.
--
-- A change calls this after its locks, so that it reads what was committed while the change waited.
--
-- Locks: a connection FOR KEY SHARE, so that it ends before or after the change; else nothing, so that busy callers can
-- still be deactivated.
-- Returns one of the three words.
CREATE OR REPLACE FUNCTION standing_of(actor_kind text, actor_id text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  actor users;
  moment timestamptz;
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
  moment := ends_clock_now();
  RETURN CASE
    WHEN actor.type = 'administrator'
      AND administers(actor.key, actor.status, actor.active_until, actor.end_refused_at, moment) THEN 'administrator'
    WHEN actor.status <> 'active' OR (actor.active_until <= moment AND actor.end_refused_at IS NULL) THEN 'nobody'
    ELSE 'user'
  END;
END $$;
