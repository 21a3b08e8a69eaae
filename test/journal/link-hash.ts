import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';

const COLUMNS = [
  'chain',
  'number',
  'moment',
  'id',
  'at',
  'entries',
  'action',
  'actor_kind',
  'actor_id',
  'granted_by',
  'user_id',
  'user_ids',
  'workspace_id',
  'workspace_ids',
  'before',
  'after',
  'reason',
  'request_id',
  'traceparent',
] as const;
const IS_JSON = new Set<string>(['chain', 'number', 'moment', 'id', 'at', 'entries', 'before', 'after']);

/**
 * The hash of a change, computed once more from what `journal_append_changes.sql` says, so that a test can forge a change
 * that is right in itself.
 */
export async function linkHash(manager: EntityManager, id: number): Promise<Buffer> {
  const [row]: Record<string, string | string[] | number | null>[] = await manager.query(
    `SELECT *, floor(extract(epoch FROM at) * 1000)::text AS at, before::text AS before, after::text AS after,
       COALESCE((SELECT hash FROM journal_changes AS previous
         WHERE previous.chain = change.chain AND previous.number = change.number - 1), '') AS previous
     FROM journal_changes AS change WHERE id = $1`,
    [id],
  );
  const members = COLUMNS.map((column) => {
    const value = row?.[column] ?? null;
    return value === null || !IS_JSON.has(column) ? JSON.stringify(value) : String(value);
  });
  return createHash('sha256')
    .update(row?.['previous'] as unknown as Buffer)
    .update(`["change/1", ${members.join(', ')}]`)
    .digest();
}
