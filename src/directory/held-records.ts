import type { EntityManager } from 'typeorm';
import { LockedRecords } from './locked-records';

/** Keeps these workspaces as they are until the transaction ends: none can vanish, nor change what it is permitted. */
export function holdWorkspaces(manager: EntityManager, ids: readonly string[]): Promise<LockedRecords> {
  return hold(manager, 'workspaces', ids);
}

/** Keeps these permissions as they are until the transaction ends: none can vanish, nor change the type that it grants. */
export function holdPermissions(manager: EntityManager, ids: readonly string[]): Promise<LockedRecords> {
  return hold(manager, 'permissions', ids);
}

/** Keeps these groups as they are until the transaction ends. Hold their workspaces before. */
export function holdGroups(manager: EntityManager, ids: readonly string[]): Promise<LockedRecords> {
  return hold(manager, 'groups', ids);
}

async function hold(manager: EntityManager, table: string, ids: readonly string[]): Promise<LockedRecords> {
  return new LockedRecords(
    await manager.query(`SELECT key, id FROM ${table} WHERE id = ANY ($1) ORDER BY key FOR KEY SHARE`, [ids]),
  );
}
