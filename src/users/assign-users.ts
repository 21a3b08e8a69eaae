import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import type { UserChanges } from '../directory/change-counts';
import type { Attribution } from '../contract/attribution';
import { recordableId } from '../journal/recordable';

const ASSIGN_USERS = prepared(
  'assign_users',
  `SELECT unknown_users AS users, unknown_workspaces AS workspaces, unknown_groups AS groups, assigned, retyped
   FROM assign_users($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** Distinct, well-formed ids. */
export interface Assignment {
  userIds: string[];
  workspaceIds: string[];
  groupIds: string[];
}

/** The ids that no record has. A group of a workspace that is not assigned is among them. */
export interface Unknown {
  users: string[];
  workspaces: string[];
  groups: string[];
}

/** Of how many users the memberships and the type changed; or what is unknown, and nothing was written. */
export type AssignmentOutcome = { changes: Partial<UserChanges> } | { unknown: Unknown };

/** The columns of the one side or of the other are null. No row: nothing is unknown, nor was anything to be written. */
interface Row extends Unknown {
  assigned: number | null;
  retyped: number | null;
}

/**
 * Puts each user into each workspace and each group, renews the users' types by this derivation (see `UserTypeService`), and
 * tells the journal what changed for whom: all of it in one call of the database's function `assign_users`.
 *
 * It locks workspaces, groups and users in the global order (see {@link LockedUsers}) before it reads what they hold: places
 * `FOR KEY SHARE`, so that none can vanish nor change what it is permitted, and users so that they are ours. Memberships
 * that exist stay as they are.
 *
 * @param onlyCheck to be told what is unknown, and write nothing in any case
 */
export async function assignUsers(
  sender: Queryable,
  { userIds, workspaceIds, groupIds }: Assignment,
  { actor, requestId }: Attribution,
  derivation: string | null,
  onlyCheck: boolean,
): Promise<AssignmentOutcome> {
  const [row] = await sender.query<Row[]>(ASSIGN_USERS, [
    userIds,
    workspaceIds,
    groupIds,
    onlyCheck,
    derivation,
    actor.kind,
    recordableId(actor.id),
    requestId ?? null,
  ]);
  if (!row) return { unknown: { users: [], workspaces: [], groups: [] } };
  const { assigned, retyped } = row;
  return assigned === null || retyped === null
    ? { unknown: row }
    : { changes: { assignments: assigned, types: retyped } };
}
