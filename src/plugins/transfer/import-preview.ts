import type { EntityManager } from 'typeorm';
import type { RecordKind } from './directory-record.rules';

/** How many records a preview shows of those with the same outcome. */
const SHOWN_RECORDS = 50;

/** What becomes of records of one kind. A user that is deactivated can have other changes as well. */
export interface Preview {
  outcome: 'created' | 'changed' | 'deactivated';
  kind: RecordKind;
  count: number;
  /** The first, by id, with the fields that change. */
  shown: { id: string; fields: string[] }[];
}

/** What an import has done, by the entries that it appended to the journal. */
export function previewChanges(manager: EntityManager): Promise<Preview[]> {
  return manager.query(PREVIEW);
}

/** The ends of a user's memberships on one side of the change, in the format of the journal. */
const endsOf = (side: 'before' | 'after'): string => `jsonb_build_object('until',
  '{"groups":{},"workspaces":{}}' || coalesce(jsonb_object_agg(place, ends) FILTER (WHERE side = '${side}'), '{}'))`;

/**
 * What became of each record that the import wrote, as common table expressions. The ends of memberships that a user
 * was given, lost or has otherwise than before count as one field, `until`.
 */
export const OUTCOMES = `
  told AS (
    SELECT action, user_id, workspace_ids, before, after
    FROM (SELECT (change).* FROM import_entries OFFSET 0) AS change
    LEFT JOIN LATERAL unnest(user_ids) AS user_id ON true
    WHERE action <> 'user.type.changed'
  ), moved_ends AS (
    SELECT user_id, side, place, jsonb_object_agg(ends.id, ends.until) AS ends
    FROM told
    CROSS JOIN LATERAL (VALUES ('before', before), ('after', after)) AS on_side (side, facts)
    CROSS JOIN unnest(ARRAY['workspaces', 'groups']) AS place
    CROSS JOIN LATERAL jsonb_each(
      CASE WHEN action ~ '[.](extended|shortened)$' THEN facts ELSE facts -> 'until' END -> place
    ) AS ends (id, until)
    WHERE action LIKE 'user.workspaces.%' GROUP BY 1, 2, 3
  ), entries AS (
    SELECT action, user_id, workspace_ids, before, after FROM told
    WHERE action ~ '[.](created|updated)$' OR action IN ('user.status.changed', 'workspace.permissions.changed',
      'group.permissions.changed')
    UNION ALL
    SELECT 'user.until', user_id, NULL, ${endsOf('before')}, ${endsOf('after')} FROM moved_ends GROUP BY user_id
  ), records AS (
    SELECT split_part(action, '.', 1) COLLATE "C" AS kind,
      coalesce(user_id, after ->> 'group', after ->> 'permission', workspace_ids[1]) COLLATE "C" AS id,
      bool_or(action LIKE '%.created') AS is_new,
      bool_or(action = 'user.status.changed' AND after ->> 'status' = 'inactive') AS is_deactivated,
      jsonb_agg(coalesce(before, '{}') - 'group' - 'permission' ORDER BY action DESC) AS befores,
      jsonb_agg(after - 'group' - 'permission' ORDER BY action DESC) AS changes
    FROM entries GROUP BY 1, 2
  ), outcomes AS (
    SELECT CASE WHEN is_new THEN 'created' WHEN is_deactivated THEN 'deactivated' ELSE 'changed' END AS outcome, *,
      array_position('{permission,workspace,group,user}', kind) AS place
    FROM records
  )`;

const PREVIEW = `
  WITH ${OUTCOMES}, numbered AS (
    SELECT *, row_number() OVER (PARTITION BY outcome ORDER BY place, id) AS number FROM outcomes
  )
  SELECT outcome, kind, count(*)::integer AS count,
    coalesce(json_agg(json_build_object('id', id, 'fields', ARRAY(
      SELECT DISTINCT jsonb_object_keys(change) COLLATE "C" FROM jsonb_array_elements(changes) AS changes (change)
        ORDER BY 1
    )) ORDER BY id) FILTER (WHERE number <= ${SHOWN_RECORDS}), '[]') AS shown
  FROM numbered GROUP BY outcome, kind, place
  ORDER BY array_position('{created,changed,deactivated}', outcome), place`;
