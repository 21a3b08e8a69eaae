-- Moves the committed changes from the inbox into the log, in one batch of at most 10,000, and seals it. The order that
-- it gives is the order of the journal: nothing can appear behind a position.
--
-- Changes keep the order of the inbox, in which those of one user have the order of their transactions. Those of one
-- transaction follow each other, also if a batch ends between them. An own snapshot of the inbox at the end of each
-- batch says which transactions were taken, so that dead rows are not read again. `whole` reads all rows. `given_month`
-- is for tests and the demo directory; null is the month of the clock, but never a month after the last one that has a
-- partition: a clock that was wrong for a moment must not carry the journal years ahead.
--
-- Call it in a transaction of its own at READ COMMITTED. In one that has appended changes, it must come last. The
-- transaction ends after a second without a statement: if its process stops before it commits, other processes go on.
--
-- The hash of a seal is the SHA-256 of that of the seal before it, of the seal's own columns as a JSON array, and of
-- the SHA-256 of each change: all its columns as a JSON array. `version` is that of the format: `change/1`, which
-- `verify-journal.ts` also reads, has no keys.
--
-- Locks: sealing, by an advisory lock with the key of its table, if there is anything to seal.
-- Returns the head, and whether more can be taken.
CREATE OR REPLACE FUNCTION seal_journal(
  whole boolean, given_month integer, OUT head_position bigint, OUT head_hash bytea, OUT more boolean
) LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  batch CONSTANT integer := 10000;
  batch_bytes CONSTANT integer := 32000000;
  names CONSTANT text[] := personal_facts();
  month bigint := COALESCE(given_month, journal_month(clock_timestamp()));
  head journal_head;
  known_before xid8;
  running xid8[];
BEGIN
  more := false;
  -- Subqueries instead of a join, which PostgreSQL 18 begins with the inbox: it would read every dead row.
  IF NOT whole AND NOT EXISTS (
    SELECT FROM journal_inbox WHERE xid >= (SELECT pg_snapshot_xmax(snapshot) FROM journal_head)
    UNION ALL
    SELECT FROM journal_inbox WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip(snapshot) FROM journal_head))
  ) THEN
    SELECT position, hash INTO head_position, head_hash FROM journal_head;
    RETURN;
  END IF;

  -- The other advisory locks have numbers: see database/advisory-locks.ts.
  PERFORM set_config('idle_in_transaction_session_timeout', '1s', true),
    pg_advisory_xact_lock('journal_seals'::regclass::bigint);
  SELECT * INTO head FROM journal_head;
  known_before := CASE WHEN whole THEN '0' ELSE pg_snapshot_xmax(head.snapshot) END;
  running := ARRAY(SELECT pg_snapshot_xip(head.snapshot) WHERE NOT whole);
  IF given_month IS NULL AND month > head.position >> 40 THEN
    month := LEAST(month, journal_last_month());
  END IF;
  WITH waiting AS MATERIALIZED (
    SELECT xid, id, cardinality(changes) AS size, pg_column_size(changes)::bigint AS bytes FROM journal_inbox
      WHERE xid >= known_before
    UNION ALL
    SELECT xid, id, cardinality(changes), pg_column_size(changes) FROM journal_inbox WHERE xid = ANY (running)
  ), queued AS MATERIALIZED (
    SELECT xid, id, row_number() OVER ordered AS place,
      COALESCE(lag(xid) OVER ordered, head.last_xid) = xid AS continues,
      sum(size) OVER ordered AS total, sum(bytes) OVER ordered AS total_bytes
    FROM (SELECT *, min(id) OVER (PARTITION BY xid) AS began FROM waiting) AS begun
    WINDOW ordered AS (ORDER BY xid <> head.last_xid, began, id)
  ), taken AS (
    DELETE FROM journal_inbox AS i USING queued AS q
    WHERE i.xid = q.xid AND i.id = q.id AND (q.place = 1 OR (q.total <= batch AND q.total_bytes <= batch_bytes))
    RETURNING i.*, q.place, q.continues
  ), unfolded AS (
    SELECT t.xid, t.number, t.at, t.actor_kind, t.actor_id, t.granted_by, t.reason, t.request_id, t.traceparent,
      c.action, c.user_ids, c.keys, c.workspace_ids, c.before, c.after, t.continues OR c.nth > 1 AS continues,
      GREATEST(cardinality(c.user_ids), 1) AS entries, row_number() OVER (ORDER BY t.place, c.nth) AS nth
    FROM taken AS t
    CROSS JOIN LATERAL unnest(t.changes, t.user_keys)
      WITH ORDINALITY AS c (action, user_ids, workspace_ids, before, after, keys, nth)
  ), numbered AS (
    SELECT *, GREATEST(head.position,
      (month << 40) - 1) + 1 + sum(entries) OVER (ORDER BY nth)::bigint - entries AS position
    FROM unfolded
  ), divided AS MATERIALIZED (
    SELECT n.*, b.own AS own_before, a.own AS own_after, CASE
      WHEN n.reason IS NOT NULL OR b.own IS NOT NULL OR a.own IS NOT NULL THEN gen_random_uuid()
    END AS salt
    FROM numbered AS n
    CROSS JOIN LATERAL (SELECT CASE WHEN before ?| names THEN (
      SELECT jsonb_object_agg(key, value) FROM jsonb_each(before) WHERE key = ANY (names)) END AS own) AS b
    CROSS JOIN LATERAL (SELECT CASE WHEN after ?| names THEN (
      SELECT jsonb_object_agg(key, value) FROM jsonb_each(after) WHERE key = ANY (names)) END AS own) AS a
  ), hidden AS (
    SELECT *, CASE WHEN salt IS NOT NULL THEN json_build_array(reason, own_before, own_after)::text END AS secret
      FROM divided
  ), described AS MATERIALIZED (
    SELECT h.*, p.personal, octet_length(c.content) + COALESCE(octet_length(secret), 0)
      - CASE WHEN entries > 1 THEN octet_length(concat(array_to_json(user_ids), array_to_json(keys))) ELSE 0 END
      AS bytes,
      sha256(convert_to(c.content, 'UTF8')) AS digest
    FROM hidden AS h
    CROSS JOIN LATERAL (SELECT sha256(uuid_send(salt) || convert_to(secret, 'UTF8')) AS personal) AS p
    CROSS JOIN LATERAL (SELECT json_build_array(
      'change/2', position, (extract(epoch FROM at) * 1000)::bigint, continues, action, actor_kind, actor_id,
        granted_by,
      user_ids[1], CASE WHEN entries > 1 THEN user_ids END, keys[1], CASE WHEN entries > 1 THEN keys END,
      workspace_ids[1], CASE WHEN cardinality(workspace_ids) > 1 THEN workspace_ids END,
      before - names, after - names, request_id, traceparent, encode(p.personal, 'hex')
    )::text AS content) AS c
  ), logged AS (
    INSERT INTO journal_changes (
      position, at, actor_kind, bytes, entries, continues, action, actor_id, granted_by, user_id, user_ids,
        user_key, user_keys, workspace_id, workspace_ids,
      before, after, request_id, traceparent, personal, number
    )
    SELECT position, at, actor_kind, bytes, entries, continues, action, actor_id, granted_by,
      user_ids[1], CASE WHEN entries > 1 THEN user_ids END, keys[1], CASE WHEN entries > 1 THEN keys END,
      workspace_ids[1], CASE WHEN cardinality(workspace_ids) > 1 THEN workspace_ids END,
      before - names, after - names, request_id, traceparent, personal, number
    FROM described
  ), listed AS (
    INSERT INTO journal_subjects (kind, subject, position)
    SELECT 'u', subject, position FROM described CROSS JOIN unnest(user_ids[2:]) AS subject WHERE subject <> user_ids[1]
    UNION
    SELECT 'w', subject, position FROM described CROSS JOIN unnest(workspace_ids[2:]) AS subject
      WHERE subject <> workspace_ids[1]
  ), kept_apart AS (
    INSERT INTO journal_personal (position, salt, reason, before, after)
    SELECT position, salt, reason, own_before, own_after FROM described WHERE salt IS NOT NULL
  ), summed AS MATERIALIZED (
    SELECT max(position + entries - 1) AS position, GREATEST(clock_timestamp(), head.at, max(at))::timestamptz(3) AS at,
      min(at) AS oldest,
      count(*)::integer AS changes, string_agg(digest, '' ORDER BY position) AS digests,
        (array_agg(xid ORDER BY nth DESC))[1] AS last_xid
    FROM described HAVING count(*) > 0
  ), rest AS (
    SELECT (SELECT count(*) FROM queued) > (SELECT count(*) FROM taken) AS is_left
  ), sealed AS (
    INSERT INTO journal_seals (position, at, changes, hash, snapshot, last_xid, lag, version)
    SELECT position, at, changes, sha256(head.hash || convert_to(json_build_array(
      'seal/1', position, (extract(epoch FROM at) * 1000)::bigint, changes)::text, 'UTF8') || digests),
      CASE WHEN is_left THEN head.snapshot ELSE pg_current_snapshot() END, last_xid, GREATEST(head.lag, at - oldest), 2
    FROM summed CROSS JOIN rest RETURNING position, hash
  )
  SELECT position, hash, is_left INTO head_position, head_hash, more FROM sealed CROSS JOIN rest;
  IF NOT FOUND THEN
    head_position := head.position;
    head_hash := head.hash;
    more := false;
  END IF;
END $$;
