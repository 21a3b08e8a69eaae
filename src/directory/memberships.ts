import type { EntityManager } from 'typeorm';
import type { LockedUsers } from './locked-users';

/** The places that one user has left. */
export interface MembershipChange {
  userId: string;
  workspaces: string[];
  groups: string[];
  /** These workspaces, and those of the groups. */
  concerns: string[];
}

/**
 * Takes each user out of each workspace, and so out of its groups.
 *
 * @returns what is gone, of users for whom something is
 */
export function removeMemberships(
  manager: EntityManager,
  users: LockedUsers,
  workspaceIds: readonly string[],
): Promise<MembershipChange[]> {
  return manager.query(
    `WITH group_change AS (
       DELETE FROM group_memberships WHERE user_id = ANY($1) AND workspace_id = ANY($2)
       RETURNING user_id, workspace_id, group_id
     ), workspace_change AS (
       DELETE FROM workspace_memberships WHERE user_id = ANY($1) AND workspace_id = ANY($2)
       RETURNING user_id, workspace_id
     )
     SELECT user_id AS "userId",
       COALESCE(array_agg(workspace_id ORDER BY workspace_id) FILTER (WHERE group_id IS NULL), '{}') AS workspaces,
       COALESCE(array_agg(group_id ORDER BY group_id) FILTER (WHERE group_id IS NOT NULL), '{}') AS groups,
       array_agg(DISTINCT workspace_id ORDER BY workspace_id) AS concerns
     FROM (
       SELECT user_id, workspace_id, NULL AS group_id FROM workspace_change
       UNION ALL SELECT user_id, workspace_id, group_id FROM group_change
     ) AS change
     GROUP BY user_id ORDER BY user_id`,
    [users.ids, workspaceIds],
  );
}
