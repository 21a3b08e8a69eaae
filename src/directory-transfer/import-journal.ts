import type { EntityManager } from 'typeorm';
import type { Judged } from '../auth/judge-caller';
import { afterCommit } from '@user-administration/postgres';
import type { ChangeCounts, UserChanges } from '../directory/change-counts';
import { Journal } from '../journal/journal';
import { recordableAttribution } from '../journal/recording-function';
import { USER_CREATED } from '../users/user-facts';
import { countOutcomes, type ImportCounts } from './import-outcome';
import type { ImportProgress } from './import-progress';
import { RECORD_CHANGES } from './import-record-changes';
import { TYPE_CHANGES, USER_CHANGES } from './import-user-changes';

/** The number of entries that are appended at once, so that memory stays bounded. */
const CHUNK_ENTRIES = 2_000;
/** A chunk ends with the entry that fills it, because a few users can be in many thousands of workspaces. */
const CHUNK_BYTES = 4_000_000;

/** The facts of the entry about an import as a whole. */
export interface ImportRecord {
  /** The name of the file; null if it has none. */
  name: string | null;
  /** Users who were assigned, unassigned or whose status or type changed, for the metrics. */
  counts: ChangeCounts;
}

/**
 * Appends to the journal what has changed since `lockAffected`, `rememberRecords` and `rememberUsers`: the import
 * itself, and then each change; nothing if the directory already matched the file. Call this after all writes.
 */
export async function appendChanges(
  manager: EntityManager,
  judged: Judged,
  { name, counts }: ImportRecord,
  progress: ImportProgress,
): Promise<ImportCounts> {
  await manager.query(`
    CREATE TEMPORARY TABLE import_entries (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      entry journal_new_entry NOT NULL
    ) ON COMMIT DROP`);
  for (const changes of [...RECORD_CHANGES, USER_CHANGES]) {
    await manager.query(`INSERT INTO import_entries (entry) ${changes}`);
  }
  const { entries, ...changed } = await countChanges(manager);
  progress.begin('Saving', Math.ceil(entries / CHUNK_ENTRIES) + 2);
  const outcomes = await countOutcomes(manager);
  if (entries + changed.types > 0) {
    const { unchanged: _, ...after } = outcomes;
    await new Journal().append(manager, judged, [{ action: 'directory.imported', after: { name, ...after } }]);
  }
  await appendEntries(manager, judged, progress);
  await manager.query(
    `SELECT journal_append_changes($1, $2, $3, $4, $5, $6, array_agg(change ORDER BY (change).user_ids[1]))
     FROM (${TYPE_CHANGES}) AS changes`,
    recordableAttribution(judged),
  );
  afterCommit(manager, () => counts.add(changed));
  progress.step();
  return outcomes;
}

interface Changes extends UserChanges {
  /** Entries but those about types. */
  entries: number;
}

async function countChanges(manager: EntityManager): Promise<Changes> {
  const [counted]: [Changes] = await manager.query(`
    SELECT count(*)::integer AS entries,
      count(DISTINCT (entry).user_id) FILTER (WHERE (entry).action = 'user.workspaces.assigned'
        OR (entry).action = '${USER_CREATED}' AND (entry).workspace_ids <> '{}')::integer AS assignments,
      count(DISTINCT (entry).user_id) FILTER (
        WHERE (entry).action = 'user.workspaces.unassigned')::integer AS unassignments,
      count(DISTINCT (entry).user_id) FILTER (WHERE (entry).action = 'user.status.changed')::integer AS statuses,
      (SELECT coalesce(sum(cardinality((change).user_ids)), 0)::integer FROM (${TYPE_CHANGES}) AS changes) AS types
    FROM import_entries`);
  return counted;
}

/**
 * Appends the entries in chunks. Entries with the same facts about different users become one change, but for personal
 * facts, which can be erased for one user alone. A user has one entry of each action, and those of an action are
 * consecutive, so the entries of a user keep their order.
 */
async function appendEntries(manager: EntityManager, judged: Judged, progress: ImportProgress): Promise<void> {
  const parameters = recordableAttribution(judged);
  for (let last: string | null = '0'; last !== null;) {
    const [chunk]: { last: string | null }[] = await manager.query(
      `WITH next AS (
         SELECT number, entry, sum(pg_column_size(entry)) OVER (ORDER BY number) - pg_column_size(entry) AS bytes_before
         FROM (SELECT * FROM import_entries WHERE number > $7 ORDER BY number LIMIT ${CHUNK_ENTRIES}) AS next
       ), chunk AS MATERIALIZED (
         SELECT number, (entry).*, COALESCE((entry).before ->> 'email', (entry).before ->> 'displayName',
           (entry).after ->> 'email', (entry).after ->> 'displayName') IS NOT NULL AS is_personal
         FROM next WHERE bytes_before < ${CHUNK_BYTES}
       ), grouped AS (
         SELECT min(number) AS first, max(number) AS last,
           ROW(action, array_agg(user_id ORDER BY number), workspace_ids, before, after)::journal_new_change AS change
         FROM chunk GROUP BY action, workspace_ids, before, after, CASE WHEN is_personal THEN user_id END
       )
       SELECT max(last) AS last, journal_append_changes($1, $2, $3, $4, $5, $6, array_agg(change
         ORDER BY first)) AS appended
       FROM grouped`,
      [...parameters, last],
    );
    last = chunk?.last ?? null;
    progress.step();
  }
}
