import { Injectable } from '@nestjs/common';
import type { Representation } from '../contract/answers';
import type { Attribution } from '../contract/attribution';
import type { BulkResult, ChangedPlaces } from '../contract/bulk';
import type { IdempotentUnit } from '../database/transactions';
import { type AssignmentRequest, firstRefusal, isWellShaped, LISTS, refusedIds } from './workspace-assignment.rules';
import { BulkChanges } from './bulk-changes.service';
import { type BulkOptions, wantsResult } from './bulk-options';
import { changeMemberships, type MembershipChange, type MembershipOutcome } from './change-memberships';
import { idsToFind } from './id-list.rules';
import { changedPlaces } from './recorded-changes';
import { UserTypeRule } from './user-type.rule';

/** The result of an assignment or an unassignment, for callers that request it. */
export type MembershipRepresentation = Representation<BulkResult<ChangedPlaces>> | undefined;

const UNEXPLAINED = 'The database refused the change, though it found every id.';
const COUNTED = { assign_users: 'assignments', unassign_users: 'unassignments' } as const;

/** The common steps of assignments and unassignments: check the shape, run the change, and name the first refusal. */
@Injectable()
export class MembershipChanges {
  constructor(
    private readonly bulk: BulkChanges,
    private readonly rule: UserTypeRule,
  ) {}

  /**
   * @param by the SQL function that makes the change
   * @throws ServiceError for the first check that fails, in the contract's order
   */
  async make(
    by: MembershipChange['by'],
    request: AssignmentRequest,
    attribution: Attribution,
    options: BulkOptions,
    unit?: IdempotentUnit,
  ): Promise<MembershipRepresentation> {
    const refusal = firstRefusal(request, options);
    if (refusal) throw refusal;

    const change = changeOf(by, request, options);
    return this.bulk.make(
      async (sender) => {
        const outcome = await changeMemberships(sender, change, attribution, this.rule);
        // Thrown inside the unit of work, so that it is rolled back.
        if (outcome.kind === 'unknown') throw firstRefusal(request, options, outcome.known) ?? new Error(UNEXPLAINED);
        const counts = { [COUNTED[by]]: outcome.moved, types: outcome.retyped };
        return { counts, result: change.returnChanges ? resultOf(request, change, outcome) : undefined };
      },
      options,
      unit,
    );
  }
}

/** A malformed list refuses the whole request, so the request is not lenient. */
function changeOf(by: MembershipChange['by'], request: AssignmentRequest, options: BulkOptions): MembershipChange {
  const [userIds = [], workspaceIds = [], groupIds = []] = LISTS.map((rule) => idsToFind(rule, request[rule.list]));
  const lenient = options.lenient && isWellShaped(request);
  return { by, userIds, workspaceIds, groupIds, lenient, returnChanges: wantsResult(options) };
}

function resultOf(
  request: AssignmentRequest,
  { userIds }: MembershipChange,
  { known, changes = [] }: MembershipOutcome & { kind: 'done' },
): BulkResult<ChangedPlaces> {
  const users = changedPlaces(changes);
  const found = known?.users.length ?? userIds.length;
  return { users, unchanged: found - users.length, refused: known ? refusedIds(request, known) : [] };
}
