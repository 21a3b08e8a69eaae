import type { Attribution } from '../contract/attribution';
import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import { recordableAttribution } from '../journal/recordable';
import type { BulkRow } from './bulk-changes.service';
import { type BulkOptions, wantsResult } from './bulk-options';
import { type IdLists, idsToFind } from './id-list.rules';
import { ruleParameter, type UserTypeRule } from './user-type.rule';
import { isWellShaped, LISTS } from './workspace-assignment.rules';

const STATEMENTS = { assign_users: statement('assign_users'), unassign_users: statement('unassign_users') };

/** The answer of `assign_users` and `unassign_users`. */
interface MembershipRow extends BulkRow {
  /** The number of users who were added or removed. */
  moved: number;
  /** The number of users whose type changed. */
  retyped: number;
}

/**
 * Adds each user to each workspace and group, or removes them, with one call of an SQL function, whose file documents
 * its locks and their order. A malformed list refuses the whole request, so the call is not lenient then.
 *
 * @throws the error of the database, which `Transactions` turns into a refusal
 */
export async function changeMemberships(
  sender: Queryable,
  by: keyof typeof STATEMENTS,
  request: IdLists,
  attribution: Attribution,
  options: BulkOptions,
  rule: UserTypeRule,
): Promise<MembershipRow> {
  const [row] = await sender.query<[MembershipRow]>(STATEMENTS[by], [
    ...LISTS.map((list) => idsToFind(list, request)),
    ruleParameter(rule),
    options.lenient && isWellShaped(request),
    wantsResult(options),
    ...recordableAttribution(attribution),
  ]);
  return row;
}

function statement(by: string): string {
  return prepared(
    by,
    `SELECT outcome, known_users, known_workspaces, known_groups, moved, retyped, changes
     FROM ${by}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
  );
}
