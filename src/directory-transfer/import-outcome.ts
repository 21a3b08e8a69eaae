import type { EntityManager } from 'typeorm';
import type { RecordKind } from './directory-record.rules';
import { OUTCOMES } from './import-preview';

/** How many records of each kind. */
export type KindCounts = Record<'users' | 'workspaces' | 'groups' | 'permissions', number>;

/** What became of one record. */
export interface RecordChange {
  /** Null for a user whom the file does not name. */
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
export interface ImportOutcome {
  created: KindCounts;
  changed: KindCounts;
  unchanged: KindCounts;
  /** Users whom the file deactivates, or does not name. */
  deactivated: number;
  /** The first, by line. Those whom the file does not name come last. */
  changes: RecordChange[];
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

const CHANGES = `
  WITH ${OUTCOMES}
  SELECT NULLIF(staged.line, 0) AS line, kind AS record, id, outcome AS change,
    CASE WHEN is_new THEN '{}' ELSE ${merged('befores')} END AS before, ${merged('changes')} AS after
  FROM outcomes JOIN staged_records AS staged USING (kind, id)
  ORDER BY NULLIF(staged.line, 0) NULLS LAST, place, id LIMIT $1`;

/** @param changes how many of them to list */
export async function readOutcome(manager: EntityManager, changes: number): Promise<ImportOutcome> {
  type Row = { kind: keyof KindCounts } & Record<'created' | 'changed' | 'unchanged' | 'deactivated', number>;
  const rows: Row[] = await manager.query(COUNTS);
  const countsOf = (outcome: 'created' | 'changed' | 'unchanged'): KindCounts => {
    const none = { users: 0, workspaces: 0, groups: 0, permissions: 0 };
    return Object.assign(none, ...rows.map((row) => ({ [row.kind]: row[outcome] }))) as KindCounts;
  };
  return {
    created: countsOf('created'),
    changed: countsOf('changed'),
    unchanged: countsOf('unchanged'),
    deactivated: rows.reduce((sum, { deactivated }) => sum + deactivated, 0),
    changes: changes === 0 ? [] : await manager.query(CHANGES, [changes]),
  };
}
