-- The current authority of an actor: `administrator`, `user` (any other active user) or `nobody`.
--
-- The record of a user decides, without what has ended at this moment: an end can pass while a change waits for a lock.
-- A service needs no record and is an administrator, unless its subject is the id of a user: then it is that user. A
-- system actor, such as the command line or the end of a membership, acts for the service itself. Actors of another
-- kind are of a plugin: its function `standing_of_<kind>` answers for them, and without one they are nobody.
--
-- A change calls this after its locks, so that it reads what was committed while the change waited.
--
-- Locks: nothing, so that busy callers can still be deactivated; and what the function of a plugin locks.
-- Returns one of the three words.
CREATE OR REPLACE FUNCTION standing_of(actor_kind text, actor_id text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  standing text;
  actor users;
  moment timestamptz;
BEGIN
  IF actor_kind = 'system' THEN
    RETURN 'administrator';
  END IF;
  IF actor_kind NOT IN ('user', 'service') THEN
    IF to_regproc('standing_of_' || actor_kind) IS NOT NULL THEN
      EXECUTE format('SELECT %I($1)', 'standing_of_' || actor_kind) INTO standing USING actor_id;
    END IF;
    RETURN COALESCE(standing, 'nobody');
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
