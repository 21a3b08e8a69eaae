import type { EntityManager } from 'typeorm';
import { ImportRefused } from './import-error';

/** The most users that an import may deactivate because its file does not name them, by the number of active users before. */
export type AtMost = (activeUsers: number) => number;

/**
 * Adds a line 0 for each active user that the file does not name, as if it said that the user is inactive. Call this when no other
 * import runs, and before the staged records are indexed.
 *
 * @returns the number of these users
 * @throws ImportRefused if there are more than `atMost` permits
 */
export async function stageMissing(manager: EntityManager, atMost: AtMost): Promise<number> {
  const [{ missing, active }]: [{ missing: number; active: number }] = await manager.query(`
    WITH missing AS (
      INSERT INTO staged_records (line, kind, id, record)
      SELECT 0, 'user', id, jsonb_build_object('id', id, 'status', 'inactive') FROM users
      WHERE status = 'active' AND NOT EXISTS (
        SELECT FROM staged_records AS named WHERE named.kind = 'user' AND named.id = users.id)
      RETURNING 1
    )
    SELECT (SELECT count(*)::integer FROM missing) AS missing,
      (SELECT count(*)::integer FROM users WHERE status = 'active') AS active`);
  const most = atMost(active);
  if (missing <= most) return missing;
  throw new ImportRefused(
    `This would deactivate ${missing} of ${active} active users, because the file does not name them: more than ${most}, which --at-most permits`,
  );
}
