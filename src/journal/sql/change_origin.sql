-- By whom and why a change was made, by its number. Every entry of one transaction has the same caller and reason.
--
-- The range of one number keeps PostgreSQL from a walk through the primary key in search of it.
--
-- Locks: nothing.
-- Returns one row; none if the journal does not know the change: it is older than the numbers, or its month was pruned,
-- or it is not sealed yet.
CREATE OR REPLACE FUNCTION change_origin(change bigint) RETURNS TABLE (
  actor_kind text, actor_id text, reason text
) LANGUAGE sql STABLE AS $$
  SELECT c.actor_kind::text, c.actor_id, (SELECT p.reason FROM journal_personal AS p WHERE p.position = c.position)
  FROM journal_changes AS c WHERE c.number BETWEEN $1 AND $1 ORDER BY c.number, c.position LIMIT 1
$$;
