import type { EntityManager } from 'typeorm';
import { accountHasEnded, membershipHasEnded } from '../../directory/current-status';
import type { DirectoryFile } from './directory-file';
import type { ImportProgress } from './import-progress';

const RECORD_LISTS = ['permissions', 'workspaces', 'groups'] as const;

/** Copies the records of the file into `staged_records`. */
export async function stageRecords(
  manager: EntityManager,
  file: DirectoryFile,
  progress: ImportProgress,
): Promise<void> {
  for await (const batch of file.read()) {
    await manager.query(
      `INSERT INTO staged_records (line, kind, id, record, may_be_new, doubt)
       SELECT line, kind, record ->> 'id', record, "mayBeNew", doubt
       FROM jsonb_to_recordset($1::jsonb)
         AS staged (line integer, kind text, record jsonb, "mayBeNew" boolean, doubt text)`,
      [batch],
    );
    progress.step();
  }
}

/**
 * Extracts the lists from the records, and indexes both tables if they are large: ids come first, because they decide
 * most comparisons of a sort.
 */
export async function stageLinks(manager: EntityManager, isLarge: boolean): Promise<void> {
  const elements = RECORD_LISTS.map(
    (list) => `
      SELECT line, kind, '${list}', id, target
      FROM staged_records CROSS JOIN LATERAL jsonb_array_elements_text(record -> '${list}') AS elements (target)
      WHERE record ? '${list}'`,
  );
  await manager.query(`INSERT INTO staged_links (line, kind, list, id, target) ${elements.join(' UNION ALL ')}`);
  if (!isLarge) return;
  await manager.query('CREATE INDEX ON staged_records (id, kind)');
  await manager.query('CREATE INDEX ON staged_links (id, kind, list, target)');
  await manager.query('ANALYZE staged_records (line, kind, id)');
  await manager.query('ANALYZE staged_links');
}

/** Whether the file lists a place of a user, without an end that has passed. */
export function isListedAnew(place: 'workspace' | 'group', user: string, target: string): string {
  return `EXISTS (
    SELECT FROM staged_links AS link JOIN staged_records AS staged USING (kind, id)
    WHERE link.kind = 'user' AND link.list = '${place}s' AND link.id = ${user} AND link.target = ${target}
      AND ((staged.record #>> ARRAY['ends', '${place}s', link.target])::timestamptz <= ends_clock()) IS NOT TRUE)`;
}

/**
 * Reads what has passed as ended, in the staging tables: an account is inactive, and a membership is not listed, nor
 * are the groups of a workspace that is not. An end that was refused, as that of the last active administrator, has not
 * ended anything. The groups of the file must have been written.
 */
export async function readPassedEnds(manager: EntityManager): Promise<void> {
  const hasPassed = (place: 'workspace' | 'group', target: string) => `EXISTS (
    SELECT FROM (SELECT (staged.record #>> ARRAY['ends', '${place}s', ${target}])::timestamptz AS ends_at) AS given
    WHERE given.ends_at <= ends_clock() AND NOT EXISTS (
      SELECT FROM ${place}_memberships AS m JOIN users ON users.key = m.user_key
        JOIN ${place}s AS p ON p.key = m.${place}_key
      WHERE users.id = staged.id AND p.id = ${target} AND m.ends_at = given.ends_at
        AND NOT ${membershipHasEnded('m')}))`;
  await manager.query(`
    UPDATE staged_records AS staged SET record = record || '{"status":"inactive","activeUntil":null}'
    WHERE kind = 'user' AND (record ->> 'activeUntil')::timestamptz <= ends_clock() AND NOT EXISTS (
      SELECT FROM users WHERE users.id = staged.id AND active_until = (record ->> 'activeUntil')::timestamptz
        AND NOT ${accountHasEnded('users')})`);
  await manager.query(`
    DELETE FROM staged_links AS link USING staged_records AS staged
    WHERE staged.kind = 'user' AND staged.record ? 'ends' AND (link.kind, link.id) = (staged.kind, staged.id) AND (
      link.list = 'workspaces' AND ${hasPassed('workspace', 'link.target')}
      OR link.list = 'groups' AND (${hasPassed('group', 'link.target')} OR EXISTS (
        SELECT FROM groups JOIN workspaces ON workspaces.key = workspace_key
        WHERE groups.id = link.target AND ${hasPassed('workspace', 'workspaces.id')})))`);
}
