import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import type { Judged } from '../auth/judge-caller';
import { afterCommit, Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordingFunction } from '../journal/recordable';
import {
  type BulkOptions,
  type BulkRepresentation,
  DEFAULT_OPTIONS,
  inBulk,
  knownIn,
  type MembershipRow,
  PLACE_COLUMNS,
  PLACE_PARAMETERS,
  type PlaceArguments,
  represent,
  wantsResult,
} from './bulk-changes';
import type { ChangedPlacesDto } from './dto/bulk.dto';
import {
  firstRefusal,
  type IdLists,
  idsToFind,
  isWellFormed,
  type KnownIds,
  refusalOfUnknown,
  USERS_AND_PLACES as LISTS,
} from './id-lists.rules';
import { reasonOf } from './reason.rules';
import { changedPlaces } from './recorded-changes';
import { UserTypeRule } from './user-type/user-type.rule';

const assignUsers = recordingFunction<PlaceArguments, MembershipRow>('assign_users', PLACE_PARAMETERS, PLACE_COLUMNS);

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

    const attribution = { ...context, reason: reasonOf(request, context) };
    const given = {
      ...idsToFind(LISTS, request),
      rule: this.rule.query,
      lenient: options.lenient && isWellFormed(LISTS, request),
      represented: wantsResult(options),
    };
    const { row, answer } = await inBulk(this.transactions, options, context.unit, async (sender) => {
      const row = await assignUsers(sender, attribution, given);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), options.lenient);
      return { row, answer: represent(LISTS, request, options, row, changedPlaces) };
    });
    if (!options.dryRun) this.counts.add({ assignments: row.moved, types: row.retyped });
    return answer;
  }

  /** The inner half: assigns known users to known places in the transaction of a larger change. */
  async within(manager: EntityManager, judged: Judged, lists: KnownIds): Promise<void> {
    const given = { ...lists, rule: this.rule.query, lenient: false, represented: false };
    const { moved, retyped } = await assignUsers(manager, judged, given);
    afterCommit(manager, () => this.counts.add({ assignments: moved, types: retyped }));
  }
}
