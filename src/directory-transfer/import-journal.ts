import type { EntityManager } from 'typeorm';
import type { Judged } from '../auth/judge-caller';
import { recordableAttribution } from '../journal/recordable';
import type { ImportProgress } from './import-progress';
import { RECORD_CHANGES } from './import-record-changes';
import { TYPE_CHANGES, USER_CHANGES } from './import-user-changes';

/** The number of entries that are appended at once, so that memory stays bounded. */
const CHUNK_ENTRIES = 2_000;
/** A chunk ends with the entry that fills it, because a few users can be in many thousands of workspaces. */
const CHUNK_BYTES = 4_000_000;

/**
 * Appends to the journal what has changed since `lockAffected`, `rememberRecords` and `rememberUsers`: nothing if the
 * directory already matched the file. Call this after all writes.
 */
export async function appendChanges(manager: EntityManager, judged: Judged, progress: ImportProgress): Promise<void> {
  await manager.query(`
    CREATE TEMPORARY TABLE import_entries (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      entry journal_new_entry NOT NULL
    ) ON COMMIT DROP`);
  for (const changes of [...RECORD_CHANGES, USER_CHANGES]) {
    await manager.query(`INSERT INTO import_entries (entry) ${changes}`);
  }
  const [{ count }]: [{ count: number }] = await manager.query('SELECT count(*)::integer AS count FROM import_entries');
  progress.begin('Saving', Math.ceil(count / CHUNK_ENTRIES) + 2);
  await appendEntries(manager, judged, progress);
  await manager.query(
    `SELECT journal_append_changes($1, $2, $3, $4, $5, $6, array_agg(change ORDER BY (change).user_ids[1]))
     FROM (${TYPE_CHANGES}) AS changes`,
    recordableAttribution(judged),
  );
  progress.step();
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
