import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { isUserStatus } from '../contract/record-fields';
import { prepared } from '../database/prepared-statements';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordableAttribution } from '../journal/recordable';
import {
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

const ASSIGN_STATUSES = prepared(
  'assign_statuses',
  'SELECT outcome, known_users, changed, changes FROM assign_statuses($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
);

/** The answer of `assign_statuses`, with the number of users whose status changed. */
type StatusesRow = BulkRow & { changed: number };

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
    const parameters = [
      ...idsToFind(LISTS, request),
      status,
      options.lenient && isWellFormed(LISTS, request),
      wantsResult(options),
      ...recordableAttribution({ ...context, reason: reasonOf(request, context) }),
    ];
    const { row, answer } = await inBulk(this.transactions, options, context.unit, async (sender) => {
      const [row] = await sender.query<[StatusesRow]>(ASSIGN_STATUSES, parameters);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), options.lenient, badStatus);
      return { row, answer: represent(LISTS, request, options, row, changedStatuses) };
    });
    if (!options.dryRun) this.counts.add({ statuses: row.changed });
    return answer;
  }
}
