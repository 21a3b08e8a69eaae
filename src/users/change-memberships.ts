import type { Attribution } from '../contract/attribution';
import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import { recordableId } from '../journal/recordable';
import type { KnownIds } from './workspace-assignment.rules';
import type { RecordedChange } from './recorded-changes';
import { ruleParameter, type UserTypeRule } from './user-type.rule';

const STATEMENTS = { assign_users: statement('assign_users'), unassign_users: statement('unassign_users') };

/** The change. Ids are distinct; null is the id of no record. */
export interface MembershipChange {
  by: keyof typeof STATEMENTS;
  userIds: (string | null)[];
  workspaceIds: (string | null)[];
  groupIds: (string | null)[];
  /** Whether to skip unknown ids. */
  lenient: boolean;
  /** Whether to return the changes. */
  returnChanges: boolean;
}

/** Everything was found and done, or something was not found and nothing was written. */
export type MembershipOutcome =
  | {
      kind: 'done';
      moved: number;
      retyped: number;
      /** Only for a lenient change. */
      known?: KnownIds;
      changes?: RecordedChange[];
    }
  | { kind: 'unknown'; known: KnownIds };

interface Row {
  outcome: MembershipOutcome['kind'];
  moved: number;
  retyped: number;
  known_users: string[] | null;
  known_workspaces: string[] | null;
  known_groups: string[] | null;
  changes: RecordedChange[] | null;
}

/**
 * Adds each user to each workspace and group, or removes them, derives the users' types, and appends to the journal,
 * with one call of an SQL function, whose file documents its locks and their order.
 *
 * @throws the error of the database, which `Transactions` turns into a refusal
 */
export async function changeMemberships(
  sender: Queryable,
  { by, userIds, workspaceIds, groupIds, lenient, returnChanges }: MembershipChange,
  { actor, requestId }: Attribution,
  rule: UserTypeRule,
): Promise<MembershipOutcome> {
  const [row] = (await sender.query(STATEMENTS[by], [
    userIds,
    workspaceIds,
    groupIds,
    ruleParameter(rule),
    lenient,
    returnChanges,
    actor.kind,
    recordableId(actor.id),
    requestId ?? null,
  ])) as [Row];
  const { known_users: users, known_workspaces: workspaces, known_groups: groups } = row;
  const known = users && workspaces && groups ? { users, workspaces, groups } : undefined;
  if (row.outcome === 'unknown') return { kind: 'unknown', known: known ?? { users: [], workspaces: [], groups: [] } };
  return { kind: 'done', moved: row.moved, retyped: row.retyped, known, changes: row.changes ?? undefined };
}

function statement(by: string): string {
  return prepared(
    by,
    `SELECT outcome, known_users, known_workspaces, known_groups, moved, retyped, changes
     FROM ${by}($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  );
}
