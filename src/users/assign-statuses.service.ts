import { Injectable } from '@nestjs/common';
import type { Representation } from '../contract/answers';
import type { Attribution } from '../contract/attribution';
import type { BulkResult, ChangedStatus } from '../contract/bulk';
import type { IdempotentUnit } from '../database/transactions';
import { BulkChanges } from './bulk-changes.service';
import { type BulkOptions, DEFAULT_OPTIONS, wantsResult } from './bulk-options';
import { changeStatuses, type StatusesChange, type StatusesOutcome } from './change-statuses';
import { idsToFind, leftOut, misshapen, USER_IDS } from './id-list.rules';
import { firstStatusRefusal, type StatusAssignmentRequest, statusToGive } from './status-assignment.rules';
import { changedStatuses } from './recorded-changes';

/** The result, for callers that request it. */
export type StatusRepresentation = Representation<BulkResult<ChangedStatus>> | undefined;

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
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<StatusRepresentation> {
    const refusal = firstStatusRefusal(request, options.lenient);
    if (refusal) throw refusal;

    const change = changeOf(request, options);
    return this.bulk.make(
      async (sender) => {
        const outcome = await changeStatuses(sender, change, { ...attribution, reason: request.reason as string });
        if (outcome.kind === 'unknown') throw refusalOf(request, options, outcome.known);
        const result = change.returnChanges ? resultOf(request, change, outcome) : undefined;
        return { counts: { statuses: outcome.changed }, result };
      },
      options,
      unit,
    );
  }
}

function changeOf(request: StatusAssignmentRequest, options: BulkOptions): StatusesChange {
  const { userIds } = request;
  const lenient = options.lenient && !misshapen(USER_IDS, userIds);
  return {
    userIds: idsToFind(USER_IDS, userIds),
    status: statusToGive(request),
    lenient,
    returnChanges: wantsResult(options),
  };
}

function refusalOf(request: StatusAssignmentRequest, { lenient }: BulkOptions, known: readonly string[]): Error {
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
