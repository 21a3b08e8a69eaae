import type { EntityManager } from 'typeorm';
import { keysInParts } from './keys-in-parts';

/** A group of a workspace that is being deleted, with the ids of its permissions. */
interface LockedGroup {
  id: string;
  name: string;
  permissions: string[];
}

/** Locks all groups of a workspace in the order of their keys. The rows are counted and not fetched. */
export async function lockGroupsOf(manager: EntityManager, workspaceKey: string): Promise<void> {
  await manager.query(
    `SELECT count(*) FROM (SELECT FROM groups WHERE workspace_key = $1 ORDER BY key FOR UPDATE) AS locked`,
    [workspaceKey],
  );
}

/** Returns the groups of a workspace in parts, each in the order of their ids: there can be a million. */
export async function* groupsOf(
  manager: EntityManager,
  workspaceKey: string,
): AsyncGenerator<LockedGroup[], void, undefined> {
  for await (const keys of groupKeysOf(manager, workspaceKey)) {
    yield manager.query(
      `SELECT id, name, ARRAY(
         SELECT p.id FROM group_permissions JOIN permissions AS p ON p.key = permission_key WHERE group_key = groups.key
           ORDER BY 1
       ) AS permissions
       FROM groups WHERE key = ANY ($1) ORDER BY id`,
      [keys],
    );
  }
}

/**
 * Deletes the groups of a workspace in parts, so that each statement stays far below the statement timeout. They have
 * no members any more.
 */
export async function deleteGroupsOf(manager: EntityManager, workspaceKey: string): Promise<void> {
  for await (const keys of groupKeysOf(manager, workspaceKey)) {
    await manager.query('DELETE FROM groups WHERE key = ANY ($1)', [keys]);
  }
}

function groupKeysOf(manager: EntityManager, workspaceKey: string): AsyncGenerator<string[], void, undefined> {
  return keysInParts(manager, { table: 'groups', key: 'key', where: 'workspace_key', is: workspaceKey });
}
