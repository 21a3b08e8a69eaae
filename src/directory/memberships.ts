/** Memberships of users. A user in a group is in its workspace by the foreign keys of `group-membership.entity.ts`. */
import type { EntityManager } from 'typeorm';
import type { Ends } from '../contract/journal';
import type { LockedRecords } from './locked-records';
import { LockedUsers } from './locked-users';

/** Group memberships that one statement removes: with the longest ids, their entries take 10 MB. */
const REMOVED_MEMBERSHIPS = 10_000;

/**
 * Divides users so that those of a part have few enough memberships in the groups of a workspace to be removed at once.
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
    [workspaceKey, users.keys, REMOVED_MEMBERSHIPS],
  );
  const parts = new Map<number, typeof rows>();
  for (const row of rows) {
    const part = parts.get(row.part);
    if (part) part.push(row);
    else parts.set(row.part, [row]);
  }
  for (const part of parts.values()) yield new LockedUsers(part);
}

/**
 * Adds one user, who is told with these places, to workspaces and groups. The workspaces of the groups must be among
 * the workspaces.
 */
export async function addPlaces(
  manager: EntityManager,
  userKey: string,
  workspaces: LockedRecords,
  groups: LockedRecords,
): Promise<void> {
  await manager.query(
    `SELECT add_memberships(array_agg($1::bigint), array_agg(workspace_key), array_agg(group_key),
       array_agg(NULL::timestamptz), false, false)
     FROM (
       SELECT key AS workspace_key, NULL::bigint AS group_key FROM unnest($2::bigint[]) AS key
       UNION ALL SELECT workspace_key, key FROM groups WHERE key = ANY ($3)
     ) AS place`,
    [userKey, workspaces.keys, groups.keys],
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
