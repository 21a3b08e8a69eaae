import type { EntityManager } from 'typeorm';
import type { LockedRecords } from './locked-records';
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
  workspaces: LockedRecords,
): Promise<MembershipChange[]> {
  return manager.query(
    `WITH group_change AS (
       DELETE FROM group_memberships WHERE user_key = ANY ($1) AND workspace_key = ANY ($3)
       RETURNING user_key, workspace_key, group_key
     ), workspace_change AS (
       DELETE FROM workspace_memberships WHERE user_key = ANY ($1) AND workspace_key = ANY ($3)
       RETURNING user_key, workspace_key
     )
     SELECT "user".id AS "userId",
       COALESCE(array_agg(workspace.id ORDER BY workspace.id) FILTER (WHERE group_id IS NULL), '{}') AS workspaces,
       COALESCE(array_agg(group_id ORDER BY group_id) FILTER (WHERE group_id IS NOT NULL), '{}') AS groups,
       array_agg(DISTINCT workspace.id ORDER BY workspace.id) AS concerns
     FROM (
       SELECT user_key, workspace_key, NULL AS group_id FROM workspace_change
       UNION ALL
       SELECT user_key, group_change.workspace_key, id FROM group_change JOIN groups ON groups.key = group_key
     ) AS change
     JOIN unnest($1::bigint[], $2::varchar[] COLLATE "C") AS "user" (key, id) ON "user".key = user_key
     JOIN unnest($3::bigint[], $4::varchar[] COLLATE "C") AS workspace (key, id) ON workspace.key = workspace_key
     GROUP BY "user".id ORDER BY "user".id`,
    [users.keys, users.ids, workspaces.keys, workspaces.ids],
  );
}
