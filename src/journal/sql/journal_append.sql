-- Appends entries, each about at most one user, with `journal_append_changes`. Consecutive entries with the same facts about
-- different users become one change. The entries of one user keep their order.
--
-- Locks: the head of one chain of the journal, the last lock of a transaction.
-- Returns an empty array.
CREATE OR REPLACE FUNCTION journal_append(
  actor_kind text, actor_id text, granted_by text, reason text, request_id text, entries journal_new_entry[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  single journal_new_entry := entries[1];
  changes journal_new_change[];
BEGIN
  IF cardinality(entries) = 1 THEN
    changes := ARRAY[ROW(
      single.action, CASE WHEN single.user_id IS NULL THEN '{}' ELSE ARRAY[single.user_id] END, single.workspace_ids,
      single.before, single.after
    )::journal_new_change];
  ELSE
    WITH given AS (
      SELECT *, place - row_number() OVER (PARTITION BY action ORDER BY place) AS run
      FROM unnest(entries) WITH ORDINALITY AS given (action, user_id, workspace_ids, before, after, place)
    ), counted AS (
      SELECT *, min(place) OVER (PARTITION BY action, run) AS begins,
        row_number() OVER (PARTITION BY action, run, user_id ORDER BY place) AS occurrence
      FROM given
    ), grouped AS (
      SELECT action, workspace_ids, before, after, begins, occurrence, min(place) AS place,
        COALESCE(array_agg(user_id ORDER BY place) FILTER (WHERE user_id IS NOT NULL), '{}') AS user_ids
      FROM counted GROUP BY action, workspace_ids, before, after, begins, occurrence, user_id IS NULL
    )
    SELECT array_agg(
      ROW(action, user_ids, workspace_ids, before, after)::journal_new_change ORDER BY begins, occurrence, place
    ) INTO changes FROM grouped;
  END IF;
  PERFORM journal_append_changes($1, $2, $3, $4, $5, changes);
  RETURN '{}';
END $$;
