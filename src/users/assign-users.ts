import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import type { UserChanges } from '../directory/change-counts';
import type { Attribution } from '../contract/attribution';
import { recordableId } from '../journal/recordable';

const ASSIGN_USERS = prepared(
  'assign_users',
  `SELECT known_users AS users, known_workspaces AS workspaces, known_groups AS groups, assigned, retyped
   FROM assign_users($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** Distinct, well-formed ids. */
export interface Assignment {
  userIds: string[];
  workspaceIds: string[];
  groupIds: string[];
}

/** The ids that the records which were locked have. A group of a workspace that is not assigned is not among them. */
export interface Known {
  users: string[];
  workspaces: string[];
  groups: string[];
}

/** Of how many users the memberships and the type changed; or what is known, and nothing was written. */
export type AssignmentOutcome = { changes: Partial<UserChanges> } | { known: Known };

/** The numbers are null when nothing was to be written. */
interface Row extends Known {
  assigned: number | null;
  retyped: number | null;
}

/**
 * Puts each user into each workspace and each group, renews the users' types by this derivation (see `UserTypeService`), and
 * tells the journal what changed for whom: all of it in one call of the database's function `assign_users`.
 *
 * It locks workspaces, groups and users in the global order (see {@link LockedRecords}) before it reads what they hold: places
 * `FOR KEY SHARE`, so that none can vanish nor change what it is permitted, and users so that they are ours. Memberships
 * that exist stay as they are.
 *
 * @param onlyCheck to be told what is known, and write nothing in any case
 */
export async function assignUsers(
  sender: Queryable,
  { userIds, workspaceIds, groupIds }: Assignment,
  { actor, requestId }: Attribution,
  derivation: string | null,
  onlyCheck: boolean,
): Promise<AssignmentOutcome> {
  const [row] = (await sender.query(ASSIGN_USERS, [
    userIds,
    workspaceIds,
    groupIds,
    onlyCheck,
    derivation,
    actor.kind,
    recordableId(actor.id),
    requestId ?? null,
  ])) as [Row];
  const { assigned, retyped } = row;
  return assigned === null || retyped === null
    ? { known: row }
    : { changes: { assignments: assigned, types: retyped } };
}
