-- Appends changes to one hash chain of the journal, one row for each, and queues the webhook deliveries for them. A change to
-- more than 1,000 users becomes several rows, so that no row grows too large. journal_parts bounds its lists.
--
-- The hash of a row is the SHA-256 of the previous row's hash in the chain and of all columns, as a JSON array. A new format of
-- that array needs a new version (`change/1`); `verify-journal.ts` continues to read the old one.
--
-- By default each connection has its own chain. If another writer has locked it, any free chain is used. This function waits
-- only if all of them are locked.
--
-- Locks: the head of one chain until the transaction ends, so that the rows of a chain are committed in the order of their numbers.
-- Only the administrator guard may be locked after it: see `LockedRecords`.
-- Returns nothing.
CREATE OR REPLACE FUNCTION journal_append_changes(
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, traceparent text, changes journal_new_change[]
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  own CONSTANT smallint := pg_backend_pid() % 64;
  now_ms CONSTANT bigint := extract(epoch FROM clock_timestamp()) * 1000;
  head journal_heads;
  first_number bigint;
  change journal_new_change;
  part journal_new_change;
  content text;
  users text[];
  several_users text[];
  several_workspaces text[];
  row_id bigint;
  row_moment bigint;
  row_entries smallint;
  appended journal_new_row[];
  has_several boolean := false;
BEGIN
  IF COALESCE(cardinality(changes), 0) = 0 THEN
    RETURN;
  END IF;

  SELECT * INTO head FROM journal_heads WHERE chain = own FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT * INTO head FROM journal_heads LIMIT 1 FOR UPDATE SKIP LOCKED;
  END IF;
  IF NOT FOUND THEN
    SELECT * INTO head FROM journal_heads WHERE chain = own FOR UPDATE;
  END IF;
  first_number := head.number + 1;

  FOREACH change IN ARRAY changes LOOP
    -- Lists of 1,000 ids are never that small.
    FOREACH part IN ARRAY CASE
      WHEN COALESCE(pg_column_size(change.before), 0) + COALESCE(pg_column_size(change.after), 0) > 4000 THEN journal_parts(change)
      ELSE ARRAY[change]
    END LOOP
      users := part.user_ids;
      several_workspaces := CASE WHEN cardinality(part.workspace_ids) > 1 THEN part.workspace_ids END;
      LOOP
        row_id := nextval('journal_changes_id_seq');
        row_moment := (now_ms << 21) | ((row_id >> 10) & 2097151);
        row_entries := GREATEST(LEAST(cardinality(users), 1000), 1);
        several_users := CASE WHEN row_entries > 1 THEN users[1:1000] END;
        head.number := head.number + 1;
        content := json_build_array(
          'change/1', head.chain, head.number, row_moment, row_id, now_ms, row_entries, part.action, $1, $2, $3,
          users[1], several_users, part.workspace_ids[1], several_workspaces, part.before, part.after, $4, $5, $6
        );
        head.hash := sha256(head.hash || convert_to(content, 'UTF8'));
        appended := appended || ROW(
          row_moment, row_id, head.number, to_timestamp(now_ms / 1000.0), head.chain, row_entries, part.action, $1, $2, $3,
          users[1], several_users, part.workspace_ids[1], several_workspaces, part.before, part.after, $4, $5, $6, head.hash,
          octet_length(content) - COALESCE(octet_length(array_to_json(several_users)::text), 0)
        )::journal_new_row;
        has_several := has_several OR several_users IS NOT NULL OR several_workspaces IS NOT NULL;
        users := users[1001:];
        EXIT WHEN COALESCE(cardinality(users), 0) = 0;
      END LOOP;
    END LOOP;
  END LOOP;
  -- One statement for all rows takes half the time of one for each.
  INSERT INTO journal_changes (
    moment, id, number, at, chain, entries, action, actor_kind, actor_id, granted_by, user_id, user_ids, workspace_id, workspace_ids,
    before, after, reason, request_id, traceparent, hash, bytes
  ) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(appended);
  IF has_several THEN
    INSERT INTO journal_subjects (kind, subject, moment, position)
    SELECT 'u', subject, moment, position
    FROM unnest(appended) CROSS JOIN unnest(user_ids) WITH ORDINALITY AS given (subject, position) WHERE position > 1
    UNION ALL
    SELECT 'w', subject, moment, position
    FROM unnest(appended) CROSS JOIN unnest(workspace_ids) WITH ORDINALITY AS given (subject, position) WHERE position > 1;
  END IF;
  UPDATE journal_heads SET number = head.number, hash = head.hash WHERE chain = head.chain;

  IF EXISTS (SELECT FROM webhook_subscriptions WHERE enabled) THEN
    PERFORM queue_deliveries(head.chain, first_number, head.number);
  END IF;
END $$;
