import type { Attribution } from '../contract/attribution';
import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import type { UserChanges } from '../directory/change-counts';
import { recordableId } from '../journal/recordable';
import type { KnownIds } from './assignment.rules';
import { ruleParameter, type UserTypeRule } from './user-type.rule';

const ASSIGN_USERS = prepared(
  'assign_users',
  `SELECT outcome, known_users, known_workspaces, known_groups, assigned, retyped
   FROM assign_users($1, $2, $3, $4, $5, $6, $7)`,
);

/** Different ids. Null is the id of no record. */
export interface Assignment {
  userIds: (string | null)[];
  workspaceIds: (string | null)[];
  groupIds: (string | null)[];
}

/** Everything was found and assigned, or something was not found and nothing was written. */
export type AssignmentOutcome =
  { kind: 'assigned'; changes: Partial<UserChanges> } | { kind: 'unknown'; known: KnownIds };

type Row =
  | { outcome: 'assigned'; assigned: number; retyped: number }
  | { outcome: 'unknown'; known_users: string[]; known_workspaces: string[]; known_groups: string[] };

/**
 * Puts each user into each workspace and each group, derives the users' types anew, and appends to the journal: one call of
 * the database's function `assign_users`, whose file says what it locks in which order.
 *
 * @throws what the database raises, which `Transactions` turns into a refusal
 */
export async function assignUsers(
  sender: Queryable,
  { userIds, workspaceIds, groupIds }: Assignment,
  { actor, requestId }: Attribution,
  rule: UserTypeRule,
): Promise<AssignmentOutcome> {
  const [row] = (await sender.query(ASSIGN_USERS, [
    userIds,
    workspaceIds,
    groupIds,
    ruleParameter(rule),
    actor.kind,
    recordableId(actor.id),
    requestId ?? null,
  ])) as [Row];
  return row.outcome === 'assigned'
    ? { kind: 'assigned', changes: { assignments: row.assigned, types: row.retyped } }
    : {
        kind: 'unknown',
        known: { users: row.known_users, workspaces: row.known_workspaces, groups: row.known_groups },
      };
}
