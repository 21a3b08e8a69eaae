import { Injectable } from '@nestjs/common';
import type { ToldResult } from '../contract/answers';
import type { Attribution } from '../contract/attribution';
import type { BulkResult, ChangedStatus } from '../contract/bulk';
import type { IdempotentUnit } from '../database/transactions';
import { BulkChanges } from './bulk-changes.service';
import { type BulkWishes, PLAIN, wantsResult } from './bulk-wishes';
import { changeStatuses, type StatusesChange, type StatusesOutcome } from './change-statuses';
import { idsToFind, leftOut, misshapen, USER_IDS } from './id-list.rules';
import { firstStatusRefusal, type StatusAssignmentRequest, statusToGive } from './status-assignment.rules';
import { changedStatuses } from './told-changes';

/** The result, for callers that request it. */
export type ToldStatuses = ToldResult<BulkResult<ChangedStatus>> | undefined;

/** Activates or deactivates many users: all of them, or none. It sets the status and never toggles it. */
@Injectable()
export class AssignStatusesService {
  constructor(private readonly bulk: BulkChanges) {}

  /**
   * @throws ServiceError for the first check that fails, in the contract's order, and `directory.last_administrator` when no
   *   active administrator would be left
   */
  async execute(
    request: StatusAssignmentRequest,
    attribution: Attribution,
    unit?: IdempotentUnit,
    wishes: BulkWishes = PLAIN,
  ): Promise<ToldStatuses> {
    const refusal = firstStatusRefusal(request, wishes.lenient);
    if (refusal) throw refusal;

    const change = changeOf(request, wishes);
    return this.bulk.make(
      async (sender) => {
        const outcome = await changeStatuses(sender, change, { ...attribution, reason: request.reason as string });
        if (outcome.kind === 'unknown') throw refusalOf(request, wishes, outcome.known);
        const result = change.tell ? resultOf(request, change, outcome) : undefined;
        return { counts: { statuses: outcome.changed }, result };
      },
      wishes,
      unit,
    );
  }
}

function changeOf(request: StatusAssignmentRequest, wishes: BulkWishes): StatusesChange {
  const { userIds } = request;
  const lenient = wishes.lenient && !misshapen(USER_IDS, userIds);
  return {
    userIds: idsToFind(USER_IDS, userIds),
    status: statusToGive(request),
    lenient,
    tell: wantsResult(wishes),
  };
}

function refusalOf(request: StatusAssignmentRequest, { lenient }: BulkWishes, known: readonly string[]): Error {
  const unexplained = 'The database refused the change, though it found every id.';
  return firstStatusRefusal(request, lenient, known) ?? new Error(unexplained);
}

function resultOf(
  { userIds: given }: StatusAssignmentRequest,
  { userIds }: StatusesChange,
  { known, changes = [] }: StatusesOutcome & { kind: 'done' },
): BulkResult<ChangedStatus> {
  const users = changedStatuses(changes);
  const found = known?.length ?? userIds.length;
  return { users, unchanged: found - users.length, refused: known ? leftOut(USER_IDS, given, known) : [] };
}
