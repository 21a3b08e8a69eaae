import type { EntityManager } from 'typeorm';
import { LIMITS } from '../door';
import type { RecordCounts } from '../../contract/directory';
import type { RecordKind } from './directory-record.rules';
import { OUTCOMES } from './import-preview';

/** What became of one record. */
export interface RecordChange {
  /** Null for a user who is not in the file. */
  line: number | null;
  record: RecordKind;
  id: string;
  change: 'created' | 'changed' | 'deactivated';
  /** The fields that differ; before a record is created, none. */
  before: object;
  after: object;
}

/**
 * What became of all records. Each record of the file counts once: a user whom a line deactivates is deactivated, and
 * not changed as well.
 */
export interface ImportCounts {
  created: RecordCounts;
  changed: RecordCounts;
  unchanged: RecordCounts;
  /** Users whom the file deactivates, or who are not in it. */
  deactivated: number;
}

const merged = (objects: string): string => `(
  SELECT coalesce(jsonb_object_agg(field.key, field.value), '{}')
  FROM jsonb_array_elements(${objects}) AS part (fields) CROSS JOIN LATERAL jsonb_each(part.fields) AS field)`;

const COUNTS = `
  WITH ${OUTCOMES}, staged AS (
    SELECT kind, count(*) AS lines FROM staged_records WHERE line > 0 GROUP BY kind
  ), written AS (
    SELECT kind, count(*) FILTER (WHERE outcome = 'created') AS created,
      count(*) FILTER (WHERE outcome = 'changed') AS changed,
      count(*) FILTER (WHERE outcome = 'deactivated') AS deactivated,
      count(*) FILTER (WHERE EXISTS (
        SELECT FROM staged_records AS named WHERE named.kind = outcomes.kind AND named.id = outcomes.id
          AND named.line > 0
      )) AS named
    FROM outcomes GROUP BY kind
  )
  SELECT kind || 's' AS kind, coalesce(created, 0)::integer AS created, coalesce(changed, 0)::integer AS changed,
    coalesce(deactivated, 0)::integer AS deactivated, (coalesce(lines, 0) - coalesce(named, 0))::integer AS unchanged
  FROM staged FULL JOIN written USING (kind)`;

/** Ends with the change that makes them larger than an answer may be: that answer is refused. */
const CHANGES = `
  WITH ${OUTCOMES}, listed AS (
  SELECT NULLIF(staged.line, 0) AS line, kind AS record, id, outcome AS change,
    CASE WHEN is_new THEN '{}' ELSE ${merged('befores')} END AS before, ${merged('changes')} AS after
  FROM outcomes JOIN staged_records AS staged USING (kind, id)
  ORDER BY NULLIF(staged.line, 0) NULLS LAST, place, id LIMIT $1
  ), sized AS (
    SELECT *, sum(octet_length(before::text) + octet_length(after::text)) OVER (
      ORDER BY line NULLS LAST, record, id ROWS UNBOUNDED PRECEDING) - octet_length(before::text)
      - octet_length(after::text) AS bytes_before
    FROM listed
  )
  SELECT line, record, id, change, before, after FROM sized WHERE bytes_before <= ${LIMITS.pageBytes}
  ORDER BY line NULLS LAST, array_position('{permission,workspace,group,user}', record), id`;

/** Counts the records by the entries of the import. Call this before they are appended. */
export async function countOutcomes(manager: EntityManager): Promise<ImportCounts> {
  type Row = { kind: keyof RecordCounts } & Record<'created' | 'changed' | 'unchanged' | 'deactivated', number>;
  const rows: Row[] = await manager.query(COUNTS);
  const countsOf = (outcome: 'created' | 'changed' | 'unchanged'): RecordCounts => {
    const none = { users: 0, workspaces: 0, groups: 0, permissions: 0 };
    return Object.assign(none, ...rows.map((row) => ({ [row.kind]: row[outcome] }))) as RecordCounts;
  };
  return {
    created: countsOf('created'),
    changed: countsOf('changed'),
    unchanged: countsOf('unchanged'),
    deactivated: rows.reduce((sum, { deactivated }) => sum + deactivated, 0),
  };
}

/** @returns the first `most`, by line. Those of users who are not in the file come last. */
export function listChanges(manager: EntityManager, most: number): Promise<RecordChange[]> {
  return manager.query(CHANGES, [most]);
}
