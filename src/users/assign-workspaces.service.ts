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
import type { AssignWorkspacesDto } from './dto/assign-workspaces.dto';
import type { ChangedPlacesDto } from './dto/bulk.dto';
import { type KnownIds, idsToFind, USERS_AND_PLACES as LISTS } from './id-lists.rules';
import { refusalOfUnknown } from './lenient.rules';
import { reasonOf } from './reason.rules';
import { changedPlaces, type RecordedChange } from './recorded-changes';
import { UserTypeService } from './user-type/user-type.service';

const assignUsers = recordingFunction<PlaceArguments, MembershipRow>('assign_users', PLACE_PARAMETERS, PLACE_COLUMNS);

/**
 * Assigns many users to many workspaces and groups: all of them, or none. `AssignWorkspacesDto` has checked the shapes,
 * and `id-lists.rules.ts` refuses what is too large or unknown.
 *
 * `sql/assign_users.sql` is the second half of this page: in one round trip it locks (`sql/lock_assignment.sql`, which
 * has the rule that a group needs its workspace in the request), judges the caller, writes, refreshes types and appends
 * to the journal.
 */
@Injectable()
export class AssignWorkspacesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly userTypes: UserTypeService,
    private readonly counts: ChangeCounts,
  ) {}

  /** @throws ServiceError for the first check that fails, in the order that docs/decisions.md states */
  async execute(
    request: AssignWorkspacesDto,
    context: ChangeContext,
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<BulkRepresentation<ChangedPlacesDto>> {
    const { lenient } = options;
    const represented = wantsResult(options);
    const given = {
      ...idsToFind(LISTS, request, represented),
      until: request.until ?? null,
      rule: this.userTypes.rule.query,
      lenient,
      represented,
    };
    const attribution = { ...context, reason: reasonOf(request, context) };
    const { row, answer } = await inBulk(this.transactions, options, context.unit, async (sender) => {
      const row = await assignUsers(sender, attribution, given);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), lenient);
      return { row, answer: represent(LISTS, request, options, row, changedPlaces) };
    });
    if (!options.dryRun) this.counts.add({ assignments: row.moved, types: row.retyped });
    return answer;
  }

  /**
   * The inner half: assigns known users to known places in the transaction of a larger change.
   *
   * @returns what changed, if `represented`
   */
  async within(
    manager: EntityManager,
    judged: Judged,
    lists: KnownIds,
    represented = false,
  ): Promise<readonly RecordedChange[]> {
    const given = { ...lists, until: null, rule: this.userTypes.rule.query, lenient: false, represented };
    const { moved, retyped, changes } = await assignUsers(manager, judged, given);
    afterCommit(manager, () => this.counts.add({ assignments: moved, types: retyped }));
    return changes ?? [];
  }
}
