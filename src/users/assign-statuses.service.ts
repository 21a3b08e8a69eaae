import { afterCommit } from '@user-administration/postgres';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ChangeContext, withReason } from '../auth/change-context';
import type { UserStatus } from '../contract/directory';
import type { Judged } from '../auth/judge-caller';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordingFunction } from '../journal/recording-function';
import {
  type BulkArguments,
  type BulkOptions,
  type BulkRepresentation,
  type BulkRow,
  DEFAULT_OPTIONS,
  inBulk,
  knownIn,
  represent,
  wantsResult,
} from './bulk-changes';
import type { AssignStatusesDto } from './dto/assign-statuses.dto';
import type { ChangedStatusDto } from './dto/bulk.dto';
import { idsToFind, USERS_ALONE as LISTS } from './id-lists.rules';
import { refusalOfUnknown } from './lenient.rules';
import { changedStatuses } from './recorded-changes';

/** Its answer has the number of users whose status changed. */
export const assignStatuses = recordingFunction<BulkArguments & { status: UserStatus }, BulkRow & { changed: number }>(
  'assign_statuses',
  { users: 'user_ids', status: 'new_status', lenient: 'lenient', represented: 'represented' },
  'outcome, known_users, changed, changes',
);

/**
 * Activates or deactivates many users: all of them, or none. It sets the status and never toggles it.
 *
 * `sql/assign_statuses.sql` is the second half of this page, as for `ChangeMemberships`.
 */
@Injectable()
export class AssignStatusesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError for the first check that fails, in the order that docs/decisions.md states, and
   *   `directory.last_administrator` when no active administrator would be left
   */
  async execute(
    request: AssignStatusesDto,
    context: ChangeContext,
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<BulkRepresentation<ChangedStatusDto>> {
    const { lenient } = options;
    const represented = wantsResult(options);
    const { users } = idsToFind(LISTS, request, represented);
    const given = { users, status: request.status, lenient, represented };
    const attribution = withReason(context, request);
    const { row, answer } = await inBulk(this.transactions, options, context.unit, async (sender) => {
      const row = await assignStatuses(sender, attribution, given);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), lenient);
      return { row, answer: represent(LISTS, request, options, row, changedStatuses) };
    });
    if (!options.dryRun) this.counts.add({ statuses: row.changed });
    return answer;
  }

  /**
   * The inner half: sets the status of known users in the transaction of a larger change. @throws
   * `directory.last_administrator`
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    users: readonly string[],
    status: UserStatus,
  ): Promise<void> {
    const { changed } = await assignStatuses(manager, judged, { users, status, lenient: false, represented: false });
    afterCommit(manager, () => this.counts.add({ statuses: changed }));
  }
}
