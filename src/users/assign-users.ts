import type { EntityManager } from 'typeorm';
import { prepared } from '../database/prepared-statements';
import type { Act } from '../journal/act';
import { recordableId } from '../journal/recordable';

const ASSIGN_USERS = prepared(
  'assign_users',
  `SELECT unknown_users AS users, unknown_workspaces AS workspaces, unknown_groups AS groups
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

/**
 * Puts each user into each workspace and each group, renews the users' types by this derivation (see `UserTypeService`), and
 * tells the journal what changed for whom: all of it in one call of the database's function `assign_users`.
 *
 * It locks workspaces, groups and users in the global order (see {@link LockedUsers}) before it reads what they hold: places
 * `FOR KEY SHARE`, so that none can vanish nor change what it is permitted, and users so that they are ours. Memberships
 * that exist stay as they are.
 *
 * @param onlyCheck to be told what is unknown, and write nothing in any case
 * @returns undefined when it is done; what is unknown when nothing was written
 */
export async function assignUsers(
  manager: EntityManager,
  { userIds, workspaceIds, groupIds }: Assignment,
  { actor, requestId }: Act,
  derivation: string | null,
  onlyCheck: boolean,
): Promise<Unknown | undefined> {
  const [unknown]: Unknown[] = await manager.query(ASSIGN_USERS, [
    userIds,
    workspaceIds,
    groupIds,
    onlyCheck,
    derivation,
    actor.kind,
    recordableId(actor.id),
    requestId ?? null,
  ]);
  return unknown ?? (onlyCheck ? { users: [], workspaces: [], groups: [] } : undefined);
}
