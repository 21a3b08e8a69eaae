import type { EntityManager } from 'typeorm';
import { Group } from './group.entity';

/** A group of a workspace that is being deleted, with the ids of its permissions. */
export interface LockedGroup {
  group: string;
  name: string;
  permissions: string[];
}

/** Locks all groups of a workspace in the order of their keys, and returns them in the order of their ids. */
export async function lockGroupsOf(manager: EntityManager, workspaceKey: string): Promise<LockedGroup[]> {
  await manager
    .createQueryBuilder(Group, 'record')
    .select('record.key')
    .where({ workspaceKey })
    .orderBy('record.key')
    .setLock('pessimistic_write')
    .getMany();
  return manager.query(
    `SELECT id AS group, name, ARRAY(
       SELECT p.id FROM group_permissions JOIN permissions AS p ON p.key = permission_key WHERE group_key = groups.key ORDER BY 1
     ) AS permissions
     FROM groups WHERE workspace_key = $1 ORDER BY id`,
    [workspaceKey],
  );
}
