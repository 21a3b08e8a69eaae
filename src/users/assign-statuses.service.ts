import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { isUserStatus } from '../contract/record-fields';
import type { UserStatus } from '../contract/directory';
import type { Judged } from '../auth/judge-caller';
import { afterCommit, Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordingFunction } from '../journal/recordable';
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
import { firstRefusal, idsToFind, isWellFormed, refusalOfUnknown, USERS_ALONE as LISTS } from './id-lists.rules';
import { reasonOf } from './reason.rules';
import { changedStatuses } from './recorded-changes';

/** Its answer has the number of users whose status changed. Without a status, the users are only looked up. */
export const assignStatuses = recordingFunction<
  BulkArguments & { status: UserStatus | null },
  BulkRow & { changed: number }
>(
  'assign_statuses',
  { users: 'user_ids', status: 'new_status', lenient: 'lenient', represented: 'represented' },
  'outcome, known_users, changed, changes',
);

/**
 * Activates or deactivates many users: all of them, or none. It sets the status and never toggles it.
 *
 * `sql/assign_statuses.sql` is the second half of this page, as for `AssignWorkspacesService`.
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
    const refusal = firstRefusal(LISTS, request, wantsResult(options));
    if (refusal) throw refusal;

    const status = isUserStatus(request.status) ? request.status : null;
    // Judged after the users, who are only looked up if there is no status to set.
    const badStatus = status ? undefined : new ServiceError('status.invalid', { errors: [{ pointer: '/status' }] });
    const attribution = { ...context, reason: reasonOf(request, context) };
    const { users } = idsToFind(LISTS, request);
    const lenient = options.lenient && isWellFormed(LISTS, request);
    const given = { users, status, lenient, represented: wantsResult(options) };
    const { row, answer } = await inBulk(this.transactions, options, context.unit, async (sender) => {
      const row = await assignStatuses(sender, attribution, given);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), options.lenient, badStatus);
      return { row, answer: represent(LISTS, request, options, row, changedStatuses) };
    });
    if (!options.dryRun) this.counts.add({ statuses: row.changed });
    return answer;
  }

  /** The inner half: sets the status of known users in the transaction of a larger change. @throws `directory.last_administrator` */
  async within(manager: EntityManager, judged: Judged, users: readonly string[], status: UserStatus): Promise<void> {
    const { changed } = await assignStatuses(manager, judged, { users, status, lenient: false, represented: false });
    afterCommit(manager, () => this.counts.add({ statuses: changed }));
  }
}
