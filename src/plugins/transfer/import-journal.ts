import type { EntityManager } from 'typeorm';
import { afterCommit } from '@user-administration/postgres';
import { Journal, type Judged } from '../door';
import type { ChangeCounts, UserChanges } from '../../directory/change-counts';
import { PERSONAL_FACTS } from '../../contract/record-fields';
import { recordableAttribution } from '../../journal/recording-function';
import { USER_CREATED } from '../../users/user-facts';
import { countOutcomes, type ImportCounts } from './import-outcome';
import type { ImportProgress } from './import-progress';
import type { RecordKind } from './directory-record.rules';
import { recordChanges } from './import-record-changes';
import { USER_CHANGES } from './import-user-changes';
import { FILE_ACTIONS } from './actions';

/** The number of entries that are appended at once, so that memory stays bounded. */
const CHUNK_ENTRIES = 2_000;
/** A chunk ends with the entry that fills it, because a few users can be in many thousands of workspaces. */
const CHUNK_BYTES = 4_000_000;

const PERSONAL = PERSONAL_FACTS.flatMap((name) => [`(change).before ->> '${name}'`, `(change).after ->> '${name}'`]);

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
  kinds: ReadonlySet<RecordKind>,
  { name, counts }: ImportRecord,
  progress: ImportProgress,
): Promise<ImportCounts> {
  if (kinds.size > (kinds.has('user') ? 1 : 0))
    await manager.query(
      `INSERT INTO import_entries (step, change) SELECT 0, change FROM (${recordChanges(kinds)}) AS c (change)`,
    );
  if (kinds.has('user')) await manager.query(`INSERT INTO import_entries (step, change) ${USER_CHANGES}`);
  const { entries, ...changed } = await countChanges(manager);
  progress.begin('Saving', Math.ceil(entries / CHUNK_ENTRIES) + 2);
  const outcomes = await countOutcomes(manager);
  if (entries > 0) {
    const { unchanged: _, ...after } = outcomes;
    await new Journal().append(manager, judged, [
      FILE_ACTIONS.entry('directory.imported', { after: { name, ...after } }),
    ]);
    await appendEntries(manager, judged, progress);
  }
  afterCommit(manager, () => counts.add(changed));
  progress.step();
  return outcomes;
}

interface Changes extends UserChanges {
  entries: number;
}

async function countChanges(manager: EntityManager): Promise<Changes> {
  const [counted]: [Changes] = await manager.query(`
    SELECT count(*)::integer AS entries,
      count(DISTINCT id) FILTER (WHERE action = 'user.workspaces.assigned'
        OR action = '${USER_CREATED}' AND workspace_ids <> '{}')::integer AS assignments,
      count(DISTINCT id) FILTER (WHERE action = 'user.workspaces.unassigned')::integer AS unassignments,
      count(DISTINCT id) FILTER (WHERE action = 'user.status.changed')::integer AS statuses,
      count(id) FILTER (WHERE action = 'user.type.changed')::integer AS types
    FROM (SELECT (change).* FROM import_entries OFFSET 0) AS told
    LEFT JOIN LATERAL unnest(user_ids) AS changed (id) ON true`);
  return counted;
}

/**
 * Appends the entries in chunks, in the order of their steps. Entries with the same facts about different users become
 * one change, but for personal facts, which can be erased for one user alone. A user has one entry of each action, and
 * those of an action are consecutive, so the entries of a user keep their order.
 */
async function appendEntries(manager: EntityManager, judged: Judged, progress: ImportProgress): Promise<void> {
  const parameters = recordableAttribution(judged);
  type Chunk = { step: number; number: string; more: boolean };
  for (let last: Chunk = { step: -1, number: '0', more: true }; last.more;) {
    [last] = await manager.query<[Chunk]>(
      `WITH next AS (
         SELECT step, number, change, sum(pg_column_size(change)) OVER (ORDER BY step, number)
           - pg_column_size(change) AS bytes_before
         FROM (
           SELECT * FROM import_entries WHERE (step, number) > ($7, $8) ORDER BY step, number LIMIT ${CHUNK_ENTRIES}
         ) AS next
       ), chunk AS MATERIALIZED (
         SELECT step, number, (change).*, COALESCE(${PERSONAL.join(', ')}) IS NOT NULL AS is_personal
         FROM next WHERE bytes_before < ${CHUNK_BYTES}
       ), grouped AS (
         SELECT step, min(number) AS first,
           ROW(action, array_agg(id ORDER BY number, id COLLATE "C"), workspace_ids, before, after)::journal_new_change
             AS change
         FROM chunk LEFT JOIN LATERAL unnest(user_ids) AS changed (id) ON true
         GROUP BY step, action, workspace_ids, before, after, CASE WHEN is_personal THEN id END
       ), ends AS (
         SELECT step, number FROM chunk ORDER BY step DESC, number DESC LIMIT 1
       )
       SELECT ends.step, ends.number, appended.*, EXISTS (
         SELECT FROM import_entries AS rest WHERE (rest.step, rest.number) > (ends.step, ends.number)
       ) AS more
       FROM ends CROSS JOIN (
         SELECT journal_append_changes($1, $2, $3, $4, $5, $6, array_agg(change ORDER BY step, first)) AS appended
         FROM grouped
       ) AS appended`,
      [...parameters, last.step, last.number],
    );
    progress.step();
  }
}
