import type { EntityManager } from 'typeorm';
import { LockedRecords } from './locked-records';

/**
 * Locks these records until the transaction ends, against deletion. While they are locked, nobody can change what they
 * grant or permit either. Lock permissions first, then workspaces, then groups.
 */
export async function hold(
  manager: EntityManager,
  records: 'permissions' | 'workspaces' | 'groups',
  ids: readonly string[],
): Promise<LockedRecords> {
  return new LockedRecords(
    await manager.query(`SELECT key, id FROM ${records} WHERE id = ANY ($1) ORDER BY key FOR KEY SHARE`, [ids]),
  );
}
