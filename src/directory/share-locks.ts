import type { EntityManager } from 'typeorm';
import { LockedRecords } from './locked-records';

/** Locks these workspaces until the transaction ends, against deletion and changes of their permissions. */
export function holdWorkspaces(manager: EntityManager, ids: readonly string[]): Promise<LockedRecords> {
  return hold(manager, 'workspaces', ids);
}

/** Locks these permissions until the transaction ends, against deletion and changes of the type that they grant. */
export function holdPermissions(manager: EntityManager, ids: readonly string[]): Promise<LockedRecords> {
  return hold(manager, 'permissions', ids);
}

/** Locks these groups until the transaction ends. Lock their workspaces first. */
export function holdGroups(manager: EntityManager, ids: readonly string[]): Promise<LockedRecords> {
  return hold(manager, 'groups', ids);
}

async function hold(manager: EntityManager, table: string, ids: readonly string[]): Promise<LockedRecords> {
  return new LockedRecords(
    await manager.query(`SELECT key, id FROM ${table} WHERE id = ANY ($1) ORDER BY key FOR KEY SHARE`, [ids]),
  );
}
