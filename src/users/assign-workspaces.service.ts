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

const ASSIGN_USERS = prepared(
  'assign_users',
  `SELECT outcome, known_users, known_workspaces, known_groups, moved, retyped, changes
   FROM assign_users($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/**
 * Assigns many users to many workspaces and groups: all of them, or none. The checks, in their order, are in `id-lists.rules.ts`.
 *
 * `sql/assign_users.sql` is the second half of this page: in one round trip it locks (`sql/lock_assignment.sql`, which has the rule that a
 * group needs its workspace in the request), judges the caller, writes, refreshes types and appends to the journal.
 */
@Injectable()
export class AssignWorkspacesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly rule: UserTypeRule,
    private readonly counts: ChangeCounts,
  ) {}

  /** @throws ServiceError for the first check that fails, in the order that docs/decisions.md states */
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
      const [row] = await sender.query<[MembershipRow]>(ASSIGN_USERS, parameters);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), options.lenient);
      return { row, answer: represent(LISTS, request, options, row, changedPlaces) };
    });
    if (!options.dryRun) this.counts.add({ assignments: row.moved, types: row.retyped });
    return answer;
  }
}
