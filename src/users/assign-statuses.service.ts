import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../auth/change-context';
import { prepared } from '../database/prepared-statements';
import { recordableAttribution } from '../journal/recordable';
import { BulkChanges, type BulkRepresentation, type BulkRow } from './bulk-changes.service';
import { type BulkOptions, DEFAULT_OPTIONS, wantsResult } from './bulk-options';
import type { AssignStatusesDto } from './dto/assign-statuses.dto';
import type { ChangedStatusDto } from './dto/bulk.dto';
import { idsToFind, USER_IDS } from './id-list.rules';
import { changedStatuses } from './recorded-changes';
import { firstStatusRefusal, statusToGive } from './status-assignment.rules';

const ASSIGN_STATUSES = prepared(
  'assign_statuses',
  'SELECT outcome, known_users, changed, changes FROM assign_statuses($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
);

/** The answer of `assign_statuses`, with the number of users whose status changed. */
type StatusesRow = BulkRow & { changed: number };

/** Activates or deactivates many users: all of them, or none. It sets the status and never toggles it. */
@Injectable()
export class AssignStatusesService {
  constructor(private readonly bulk: BulkChanges) {}

  /**
   * @throws ServiceError for the first check that fails, in the contract's order, and `directory.last_administrator` when no
   *   active administrator would be left
   */
  execute(
    request: AssignStatusesDto,
    context: ChangeContext,
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<BulkRepresentation<ChangedStatusDto>> {
    const reason = typeof request.reason === 'string' ? request.reason : context.reason;
    return this.bulk.make(
      {
        request,
        lists: [USER_IDS],
        refusal: (known) => firstStatusRefusal(request, options, known),
        change: async (sender) => {
          const [row] = await sender.query<[StatusesRow]>(ASSIGN_STATUSES, [
            idsToFind(USER_IDS, request),
            statusToGive(request),
            options.lenient,
            wantsResult(options),
            ...recordableAttribution({ ...context, reason }),
          ]);
          return row;
        },
        counts: ({ changed }) => ({ statuses: changed }),
        changed: changedStatuses,
      },
      options,
      context.unit,
    );
  }
}
