-- Appends entries, sealed together as the next seal of one chain.
--
-- Each connection has a chain of its own, as a rule. When another writer holds it, any free one will do; only when all of
-- them are held does this wait.
--
-- Locks: the head of one chain, last of all locks of a transaction.
-- Returns the ids of the entries, in their order.
CREATE OR REPLACE FUNCTION journal_append(
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, entries journal_new_entry[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  own CONSTANT smallint := pg_backend_pid() % 64;
  head journal_heads;
  appended_at timestamptz(3);
  ids bigint[];
  hashes bytea;
BEGIN
  IF COALESCE(cardinality(entries), 0) = 0 THEN
    RETURN '{}';
  END IF;

  SELECT * INTO head FROM journal_heads WHERE chain = own FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT * INTO head FROM journal_heads LIMIT 1 FOR UPDATE SKIP LOCKED;
  END IF;
  IF NOT FOUND THEN
    SELECT * INTO head FROM journal_heads WHERE chain = own FOR UPDATE;
  END IF;
  head.number := head.number + 1;
  appended_at := date_trunc('milliseconds', clock_timestamp());

  WITH numbered AS MATERIALIZED (
    SELECT nextval('journal_entries_id_seq') AS id, entry.*
    FROM (
      SELECT * FROM unnest(entries) WITH ORDINALITY AS given (action, user_id, workspace_ids, before, after, position)
      ORDER BY position
    ) AS entry
  ), added AS (
    INSERT INTO journal_entries (
      id, at, action, actor_kind, actor_id, granted_by, user_id, workspace_ids, before, after, reason, request_id,
      chain, seal, position, hash
    ) OVERRIDING SYSTEM VALUE
    SELECT
      id, appended_at, action, $1, $2, $3, user_id, COALESCE(workspace_ids, '{}'), before, after, $4, $5,
      head.chain, head.number, position,
      sha256(convert_to(jsonb_build_array(
        'entry/1', id, (extract(epoch FROM appended_at) * 1000)::bigint, action, $1, $2, $3, user_id,
        COALESCE(workspace_ids, '{}'), before, after, $4, $5, head.chain, head.number, position
      )::text, 'UTF8'))
    FROM numbered
    RETURNING id, position, hash
  )
  SELECT array_agg(id ORDER BY position), string_agg(hash, NULL ORDER BY position) INTO ids, hashes FROM added;

  head.hash := sha256(
    convert_to('seal/1', 'UTF8') || head.hash || int2send(head.chain) || int8send(head.number)
    || int4send(cardinality(ids)) || hashes
  );
  INSERT INTO journal_seals (chain, number, entries, hash)
  VALUES (head.chain, head.number, cardinality(ids), head.hash);
  INSERT INTO journal_workspace_seals (workspace_id, at, chain, seal)
  SELECT DISTINCT workspace.id, appended_at, head.chain, head.number
  FROM unnest(entries) AS given CROSS JOIN unnest(given.workspace_ids) AS workspace (id);
  UPDATE journal_heads SET number = head.number, hash = head.hash WHERE chain = head.chain;
  RETURN ids;
END $$;
