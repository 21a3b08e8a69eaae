-- Leaves the changes of a transaction in the inbox of the journal; `seal_journal` takes them when the transaction has
-- committed.
--
-- A change to more than 1,000 users becomes several, so that none grows too large, and journal_parts bounds its lists.
-- More than 1,000 changes or 4 MB become several rows, of which a batch takes as many as it can: a row ends with the
-- change that fills it.
--
-- Beside the changes stand the keys of their users, as this transaction finds them: append a deletion before the user
-- is deleted, and a renaming when the user bears the new id. An id that nobody bears has none.
--
-- Locks: nothing.
-- Returns nothing.
CREATE OR REPLACE FUNCTION journal_append_changes(
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text,
    changes journal_new_change[]
) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  most CONSTANT integer := 1000;
  most_bytes CONSTANT integer := 4000000;
  bounded journal_new_change[] := changes;
  keyed journal_keys[];
BEGIN
  -- Lists of 1,000 ids are never that small.
  IF EXISTS (
    SELECT FROM unnest(changes)
    WHERE cardinality(user_ids) > most
      OR COALESCE(pg_column_size(before), 0) + COALESCE(pg_column_size(after), 0) > 4000
  ) THEN
    bounded := ARRAY(
      SELECT ROW(part.action, part.user_ids[start : start + most - 1], part.workspace_ids, part.before,
        part.after)::journal_new_change
      FROM unnest(changes) WITH ORDINALITY AS change (action, user_ids, workspace_ids, before, after, nth)
      CROSS JOIN LATERAL unnest(journal_parts(
        ROW(change.action, change.user_ids, change.workspace_ids, change.before, change.after)::journal_new_change
      )) WITH ORDINALITY AS part (action, user_ids, workspace_ids, before, after, nth)
      CROSS JOIN generate_series(1, GREATEST(cardinality(part.user_ids), 1), most) AS start
      ORDER BY change.nth, part.nth, start
    );
  END IF;
  keyed := ARRAY(
    SELECT ROW(ARRAY(
      SELECT (
        SELECT u.key FROM users AS u
        WHERE u.id = CASE change.action WHEN 'user.renamed' THEN change.after ->> 'id' ELSE given.id END
      ) FROM unnest(change.user_ids) WITH ORDINALITY AS given (id, nth) ORDER BY given.nth
    ))::journal_keys
    FROM unnest(bounded) WITH ORDINALITY AS change (action, user_ids, workspace_ids, before, after, nth)
    ORDER BY change.nth
  );
  IF cardinality(bounded) <= most AND pg_column_size(bounded) <= most_bytes THEN
    INSERT INTO journal_inbox (actor_kind, actor_id, granted_by, reason, request_id, traceparent, changes, user_keys)
    VALUES ($1::actor_kind, $2, $3, $4, $5, $6, bounded, keyed);
    RETURN;
  END IF;
  INSERT INTO journal_inbox (actor_kind, actor_id, granted_by, reason, request_id, traceparent, changes, user_keys)
  SELECT $1::actor_kind, $2, $3, $4, $5, $6, array_agg(change ORDER BY nth), array_agg(keys ORDER BY nth)
  FROM (
    SELECT nth, ROW(action, user_ids, workspace_ids, before, after)::journal_new_change AS change,
      ROW(keys)::journal_keys AS keys,
      sum(pg_column_size(ROW(user_ids, workspace_ids, before,
        after))) OVER (ORDER BY nth ROWS UNBOUNDED PRECEDING) AS bytes
    FROM unnest(bounded, keyed) WITH ORDINALITY AS change (action, user_ids, workspace_ids, before, after, keys, nth)
  ) AS sized
  GROUP BY (nth - 1) / most, bytes / most_bytes ORDER BY min(nth);
END $$;
