-- The ids of all deleted users that ever bore an id, up to an entry. A life begins with the creation of a user,
-- continues through renamings, and ends with the deletion. Users that still exist, under this id or another one, are
-- not included. The entries that count must be sealed.
--
-- Locks: nothing.
-- Returns for each id of each life the positions that count, both inclusive.
CREATE OR REPLACE FUNCTION journal_lives(borne text, upto bigint) RETURNS TABLE (id text, since bigint, until bigint)
LANGUAGE sql STABLE ROWS 2 SET plan_cache_mode = force_generic_plan AS $$
  WITH RECURSIVE onward AS (
    -- A user received the id after `vacant`, and left it at `left_at`.
    SELECT position AS life, borne AS id, COALESCE(lag(position) OVER (ORDER BY position), 0) AS vacant,
      position AS left_at, action,
      after ->> 'id' AS next
    FROM journal_changes WHERE user_id = borne AND action IN ('user.deleted', 'user.renamed')
    UNION ALL
    SELECT life, o.next, o.left_at, went.position, went.action, went.next FROM onward AS o CROSS JOIN LATERAL (
      SELECT c.position, c.action, c.after ->> 'id' AS next FROM journal_changes AS c
      WHERE c.user_id = o.next AND c.action IN ('user.deleted', 'user.renamed') AND c.position > o.left_at
        ORDER BY c.position LIMIT 1
    ) AS went
    WHERE o.action = 'user.renamed'
  ), lived AS (
    SELECT id, vacant, left_at FROM onward
    WHERE life IN (SELECT life FROM onward WHERE action = 'user.deleted' AND left_at <= upto)
    UNION
    SELECT came.id, COALESCE((
        SELECT max(position) FROM journal_changes AS c
        WHERE c.user_id = came.id AND c.action IN ('user.deleted', 'user.renamed') AND c.position < came.position
      ), 0), came.position
    FROM lived CROSS JOIN LATERAL (
      SELECT c.position, c.before ->> 'id' AS id FROM journal_changes AS c
      WHERE c.action = 'user.renamed' AND (c.after ->> 'id') COLLATE "C" = lived.id
        AND c.position >= lived.vacant AND c.position < lived.left_at
      ORDER BY c.position DESC LIMIT 1
    ) AS came
  )
  SELECT id, vacant + 1, left_at FROM lived;
$$;
