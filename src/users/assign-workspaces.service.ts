import { Injectable } from '@nestjs/common';
import type { Attribution } from '../contract/attribution';
import { doneIf, type IdempotentUnit, Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { assignUsers } from './assign-users';
import { type AssignmentRequest, firstRefusal, idsToFind, type KnownIds } from './assignment.rules';
import { UserTypeRule } from './user-type.rule';

/** Puts many users into many workspaces and groups: all of them, or none. */
@Injectable()
export class AssignWorkspacesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly rule: UserTypeRule,
    private readonly counts: ChangeCounts,
  ) {}

  /** @throws ServiceError for the first check that fails, in the contract's order */
  async execute(request: AssignmentRequest, attribution: Attribution, unit?: IdempotentUnit): Promise<void> {
    const refusal = firstRefusal(request);
    if (refusal) throw refusal;

    const assignment = {
      userIds: idsToFind(request, 'userIds'),
      workspaceIds: idsToFind(request, 'workspaces'),
      groupIds: idsToFind(request, 'groups'),
    };
    const assigned = await this.transactions.call(
      async (sender) => {
        const outcome = await assignUsers(sender, assignment, attribution, this.rule);
        return outcome.kind === 'assigned' ? outcome : refuse(request, outcome.known);
      },
      unit,
      ({ changes }) => doneIf(Object.values(changes).some(Boolean)),
    );
    this.counts.add(assigned.changes);
  }
}

/** Throws inside the unit of work, so that nothing of it remains. */
function refuse(request: AssignmentRequest, known: KnownIds): never {
  throw firstRefusal(request, known) ?? new Error('The assignment was refused, though every id was found.');
}
