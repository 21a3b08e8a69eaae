import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../auth/change-context';
import { prepared } from '../database/prepared-statements';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordableAttribution } from '../journal/recordable';
import {
  type BulkOptions,
  type BulkRepresentation,
  DEFAULT_OPTIONS,
  inBulk,
  knownIn,
  type MembershipRow,
  represent,
  wantsResult,
} from './bulk-changes';
import type { ChangedPlacesDto } from './dto/bulk.dto';
import {
  firstRefusal,
  type IdLists,
  idsToFind,
  isWellFormed,
  refusalOfUnknown,
  USERS_AND_PLACES as LISTS,
} from './id-lists.rules';
import { reasonOf } from './reason.rules';
import { changedPlaces } from './recorded-changes';
import { UserTypeRule } from './user-type/user-type.rule';

const UNASSIGN_USERS = prepared(
  'unassign_users',
  `SELECT outcome, known_users, known_workspaces, known_groups, moved, retyped, changes
   FROM unassign_users($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/**
 * Removes many users from groups or, without groups, from workspaces and so from the groups of these: all of them, or
 * none. Memberships that do not exist are no error.
 *
 * `sql/unassign_users.sql` is the second half of this page, as for `AssignWorkspacesService`.
 *
 * @example
 * await app.get(UnassignUsersService).execute(
 *   { userIds: ['ben'], workspaces: ['atlas'] },
 *   { actor: { kind: 'service', id: 'provisioning' } },
 * );
 */
@Injectable()
export class UnassignUsersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly rule: UserTypeRule,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError for the first check that fails, in the order that docs/decisions.md states, and
   *   `directory.last_administrator` when no active administrator would be left
   */
  async execute(
    request: IdLists,
    context: ChangeContext,
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<BulkRepresentation<ChangedPlacesDto>> {
    const refusal = firstRefusal(LISTS, request, wantsResult(options));
    if (refusal) throw refusal;

    const parameters = [
      ...idsToFind(LISTS, request),
      this.rule.query,
      options.lenient && isWellFormed(LISTS, request),
      wantsResult(options),
      ...recordableAttribution({ ...context, reason: reasonOf(request, context) }),
    ];
    const { row, answer } = await inBulk(this.transactions, options, context.unit, async (sender) => {
      const [row] = await sender.query<[MembershipRow]>(UNASSIGN_USERS, parameters);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), options.lenient);
      return { row, answer: represent(LISTS, request, options, row, changedPlaces) };
    });
    if (!options.dryRun) this.counts.add({ unassignments: row.moved, types: row.retyped });
    return answer;
  }
}
