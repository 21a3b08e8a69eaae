/** Memberships of users. A user in a group is in its workspace by the foreign keys of `group-membership.entity.ts`. */
import type { EntityManager } from 'typeorm';
import type { Ends } from '../contract/journal';
import type { LockedRecords } from './locked-records';
import { LockedUsers } from './locked-users';

/** A user who was removed, with the groups that the user was removed from. */
interface RemovedMember {
  id: string;
  groups: string[];
  /** The ends of the memberships that the user had; null without any. */
  until: Ends | null;
  /** All of these memberships had ended, and nothing had carried out their ends. */
  hasEnded: boolean;
}

/** Group memberships that are read at once: with the longest ids, 10 MB. */
const READ_MEMBERSHIPS = 10_000;

/**
 * Divides users so that those of a part have few enough memberships in the groups of a workspace to be read at once.
 */
export async function* dividedByGroups(
  manager: EntityManager,
  users: LockedUsers,
  workspaceKey: string,
): AsyncGenerator<LockedUsers, void, undefined> {
  const rows: { key: string; id: string; part: number }[] = await manager.query(
    `SELECT key, id, div(sum(groups) OVER (ORDER BY key ROWS UNBOUNDED PRECEDING), $3)::integer AS part
     FROM users CROSS JOIN LATERAL (
       SELECT count(*) AS groups FROM group_memberships WHERE workspace_key = $1 AND user_key = users.key
     ) AS counted WHERE key = ANY ($2) ORDER BY key`,
    [workspaceKey, users.keys, READ_MEMBERSHIPS],
  );
  const parts = new Map<number, typeof rows>();
  for (const row of rows) {
    const part = parts.get(row.part);
    if (part) part.push(row);
    else parts.set(row.part, [row]);
  }
  for (const part of parts.values()) yield new LockedUsers(part);
}

const endsBy = (kind: string, id: string) =>
  `'${kind}', COALESCE(jsonb_object_agg(${id}, iso_time(ends_at))
    FILTER (WHERE ends_at IS NOT NULL AND ${id} IS NOT NULL), '{}')`;

/**
 * Users who were removed, from `change (user_key, workspace_key, group_key, ends_at, end_refused_at)`: one key of a
 * place is null.
 */
const REMOVED = `
  SELECT users.id, array_remove(array_agg(groups.id ORDER BY groups.id), NULL) AS groups,
    CASE WHEN count(ends_at) > 0
      THEN jsonb_build_object(${endsBy('workspaces', 'workspaces.id')}, ${endsBy('groups', 'groups.id')}) END AS until,
    bool_and(has_ended(change.ends_at, change.end_refused_at)) AS "hasEnded"
  FROM change JOIN users ON users.key = user_key
  LEFT JOIN workspaces ON workspaces.key = change.workspace_key LEFT JOIN groups ON groups.key = group_key
  GROUP BY users.id ORDER BY users.id`;

/** Removes users from one workspace, and so from its groups. */
export function removeFromWorkspace(
  manager: EntityManager,
  users: LockedUsers,
  workspaceKey: string,
): Promise<RemovedMember[]> {
  return manager.query(
    `WITH group_change AS (
       DELETE FROM group_memberships WHERE workspace_key = $1 AND user_key = ANY ($2)
       RETURNING user_key, NULL::bigint, group_key, ends_at, end_refused_at
     ), workspace_change AS (
       DELETE FROM workspace_memberships WHERE workspace_key = $1 AND user_key = ANY ($2)
       RETURNING user_key, workspace_key, NULL::bigint, ends_at, end_refused_at
     ), change (user_key, workspace_key, group_key, ends_at, end_refused_at) AS (
       SELECT * FROM workspace_change UNION ALL SELECT * FROM group_change
     ) ${REMOVED}`,
    [workspaceKey, users.keys],
  );
}

/** Removes users from one group. */
export function removeFromGroup(
  manager: EntityManager,
  users: LockedUsers,
  groupKey: string,
): Promise<RemovedMember[]> {
  return manager.query(
    `WITH change AS (
       DELETE FROM group_memberships WHERE group_key = $1 AND user_key = ANY ($2)
       RETURNING user_key, NULL::bigint AS workspace_key, group_key, ends_at, end_refused_at
     ) ${REMOVED}`,
    [groupKey, users.keys],
  );
}

/** Adds one user to workspaces and groups. The workspaces of the groups must be among the workspaces. */
export async function addPlaces(
  manager: EntityManager,
  userKey: string,
  workspaces: LockedRecords,
  groups: LockedRecords,
): Promise<void> {
  await manager.query(
    'INSERT INTO workspace_memberships (user_key, workspace_key) SELECT $1::bigint, unnest($2::bigint[])',
    [userKey, workspaces.keys],
  );
  await manager.query(
    `INSERT INTO group_memberships (user_key, workspace_key, group_key)
     SELECT $1::bigint, workspace_key, key FROM groups WHERE key = ANY ($2)`,
    [userKey, groups.keys],
  );
}

/** The ids of a user's workspaces and groups, in order, and the ends of those that end. */
export async function placesOf(
  manager: EntityManager,
  userKey: string,
): Promise<{ workspaces: string[]; groups: string[]; until?: Ends }> {
  const idsOf = (place: string) =>
    `ARRAY(SELECT id FROM ${place}_memberships JOIN ${place}s ON ${place}s.key = ${place}_key WHERE user_key = $1 ` +
    'ORDER BY 1)';
  const [{ until, ...places }] = (await manager.query(
    `SELECT ${idsOf('workspace')} AS workspaces, ${idsOf('group')} AS groups, ends_of($1) AS until`,
    [userKey],
  )) as [{ workspaces: string[]; groups: string[]; until: Ends | null }];
  return { ...places, ...(until && { until }) };
}

/** The groups that belong to one of the workspaces. */
export async function groupsWithin(
  manager: EntityManager,
  workspaces: LockedRecords,
  groups: LockedRecords,
): Promise<ReadonlySet<string>> {
  const rows: { id: string }[] = await manager.query(
    'SELECT id FROM groups WHERE key = ANY ($1) AND workspace_key = ANY ($2)',
    [groups.keys, workspaces.keys],
  );
  return new Set(rows.map(({ id }) => id));
}
