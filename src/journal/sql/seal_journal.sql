-- Moves the committed changes from the inbox into the log, in one batch of at most 10,000, and seals it. The order that it gives is the
-- order of the journal: nothing can appear behind a position.
--
-- Changes keep the order of the inbox, in which those of one user have the order of their transactions. Those of one transaction
-- follow each other, also if a batch ends between them. An own snapshot of the inbox at the end of each batch says which
-- transactions were taken, so that dead rows are not read again. `whole` reads all rows: a restored database has other
-- transaction ids. `given_month` is for tests and the demo directory; null is the month of the clock.
--
-- Call it in a transaction of its own at READ COMMITTED. In one that has appended changes, it must come last.
--
-- The hash of a seal is the SHA-256 of that of the seal before it, of the seal's own columns as a JSON array, and of the SHA-256 of each
-- change: all its columns as a JSON array. A new format needs a new version (`change/2`); `verify-journal.ts` reads the old one.
--
-- Locks: the head of the journal, if there is anything to seal.
-- Returns the head, and whether more can be taken.
CREATE OR REPLACE FUNCTION seal_journal(
  whole boolean, given_month integer, OUT head_position bigint, OUT head_hash bytea, OUT more boolean
) LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  batch CONSTANT integer := 10000;
  batch_bytes CONSTANT integer := 32000000;
  names CONSTANT text[] := ARRAY['email', 'displayName'];
  month CONSTANT bigint := COALESCE(given_month, journal_month(clock_timestamp()));
  head journal_head;
  known_before xid8;
  running xid8[];
BEGIN
  more := false;
  IF NOT whole AND NOT EXISTS (
    SELECT FROM journal_head AS h JOIN journal_inbox AS i ON i.xid >= pg_snapshot_xmax(h.snapshot) WHERE h.id = 1
    UNION ALL
    SELECT FROM journal_head AS h CROSS JOIN LATERAL pg_snapshot_xip(h.snapshot) AS earlier JOIN journal_inbox AS i ON i.xid = earlier
    WHERE h.id = 1
  ) THEN
    SELECT position, hash INTO head_position, head_hash FROM journal_head WHERE id = 1;
    RETURN;
  END IF;

  SELECT * INTO head FROM journal_head WHERE id = 1 FOR UPDATE;
  known_before := CASE WHEN whole THEN '0' ELSE pg_snapshot_xmax(head.snapshot) END;
  running := ARRAY(SELECT pg_snapshot_xip(head.snapshot) WHERE NOT whole);
  WITH waiting AS MATERIALIZED (
    SELECT xid, id, cardinality(changes) AS size, pg_column_size(changes)::bigint AS bytes FROM journal_inbox WHERE xid >= known_before
    UNION ALL
    SELECT xid, id, cardinality(changes), pg_column_size(changes) FROM journal_inbox WHERE xid = ANY (running)
  ), queued AS MATERIALIZED (
    SELECT xid, id, row_number() OVER turn AS place, COALESCE(lag(xid) OVER turn, head.last_xid) = xid AS continues,
      sum(size) OVER turn AS total, sum(bytes) OVER turn AS total_bytes
    FROM (SELECT *, min(id) OVER (PARTITION BY xid) AS began FROM waiting) AS begun
    WINDOW turn AS (ORDER BY xid <> head.last_xid, began, id)
  ), taken AS (
    DELETE FROM journal_inbox AS i USING queued AS q
    WHERE i.xid = q.xid AND i.id = q.id AND (q.place = 1 OR (q.total <= batch AND q.total_bytes <= batch_bytes))
    RETURNING i.*, q.place, q.continues
  ), unfolded AS (
    SELECT t.xid, t.at, t.actor_kind, t.actor_id, t.granted_by, t.reason, t.request_id, t.traceparent,
      c.action, c.user_ids, c.workspace_ids, c.before, c.after, t.continues OR c.nth > 1 AS continues,
      GREATEST(cardinality(c.user_ids), 1) AS entries, row_number() OVER (ORDER BY t.place, c.nth) AS nth
    FROM taken AS t
    CROSS JOIN LATERAL unnest(t.changes) WITH ORDINALITY AS c (action, user_ids, workspace_ids, before, after, nth)
  ), numbered AS (
    SELECT *, GREATEST(head.position, (month << 40) - 1) + 1 + sum(entries) OVER (ORDER BY nth)::bigint - entries AS position
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
    SELECT *, CASE WHEN salt IS NOT NULL THEN json_build_array(reason, own_before, own_after)::text END AS secret FROM divided
  ), described AS MATERIALIZED (
    SELECT h.*, p.personal, octet_length(c.content) + COALESCE(octet_length(secret), 0)
      - CASE WHEN entries > 1 THEN octet_length(array_to_json(user_ids)::text) ELSE 0 END AS bytes,
      sha256(convert_to(c.content, 'UTF8')) AS digest
    FROM hidden AS h
    CROSS JOIN LATERAL (SELECT sha256(uuid_send(salt) || convert_to(secret, 'UTF8')) AS personal) AS p
    CROSS JOIN LATERAL (SELECT json_build_array(
      'change/1', position, (extract(epoch FROM at) * 1000)::bigint, continues, action, actor_kind, actor_id, granted_by,
      user_ids[1], CASE WHEN entries > 1 THEN user_ids END,
      workspace_ids[1], CASE WHEN cardinality(workspace_ids) > 1 THEN workspace_ids END,
      before - names, after - names, request_id, traceparent, encode(p.personal, 'hex')
    )::text AS content) AS c
  ), logged AS (
    INSERT INTO journal_changes (
      position, at, actor_kind, bytes, entries, continues, action, actor_id, granted_by, user_id, user_ids, workspace_id, workspace_ids,
      before, after, request_id, traceparent, personal
    )
    SELECT position, at, actor_kind, bytes, entries, continues, action, actor_id, granted_by,
      user_ids[1], CASE WHEN entries > 1 THEN user_ids END,
      workspace_ids[1], CASE WHEN cardinality(workspace_ids) > 1 THEN workspace_ids END,
      before - names, after - names, request_id, traceparent, personal
    FROM described
  ), listed AS (
    INSERT INTO journal_subjects (kind, subject, position)
    SELECT 'u', subject, position FROM described CROSS JOIN unnest(user_ids[2:]) AS subject WHERE subject <> user_ids[1]
    UNION
    SELECT 'w', subject, position FROM described CROSS JOIN unnest(workspace_ids[2:]) AS subject WHERE subject <> workspace_ids[1]
  ), kept_apart AS (
    INSERT INTO journal_personal (position, salt, reason, before, after)
    SELECT position, salt, reason, own_before, own_after FROM described WHERE salt IS NOT NULL
  ), summed AS MATERIALIZED (
    SELECT max(position + entries - 1) AS position, GREATEST(clock_timestamp(), head.at, max(at))::timestamptz(3) AS at, min(at) AS oldest,
      count(*)::integer AS changes, string_agg(digest, '' ORDER BY position) AS digests, (array_agg(xid ORDER BY nth DESC))[1] AS last_xid
    FROM described HAVING count(*) > 0
  ), sealed AS (
    INSERT INTO journal_seals (position, at, changes, hash)
    SELECT position, at, changes, sha256(head.hash || convert_to(json_build_array(
      'seal/1', position, (extract(epoch FROM at) * 1000)::bigint, changes)::text, 'UTF8') || digests)
    FROM summed RETURNING position, hash
  ), rest AS (
    SELECT (SELECT count(*) FROM queued) > (SELECT count(*) FROM taken) AS is_left
  )
  UPDATE journal_head AS h SET
    position = summed.position, at = summed.at, hash = sealed.hash, last_xid = summed.last_xid,
    lag = GREATEST(h.lag, summed.at - summed.oldest),
    snapshot = CASE WHEN rest.is_left THEN h.snapshot ELSE pg_current_snapshot() END
  FROM summed CROSS JOIN sealed CROSS JOIN rest WHERE h.id = 1
  RETURNING h.position, h.hash, rest.is_left INTO head_position, head_hash, more;
  IF NOT FOUND THEN
    head_position := head.position;
    head_hash := head.hash;
    more := false;
  END IF;
END $$;
