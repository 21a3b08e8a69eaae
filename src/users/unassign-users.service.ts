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

const unassignUsers = recordingFunction<PlaceArguments, MembershipRow>(
  'unassign_users',
  PLACE_PARAMETERS,
  PLACE_COLUMNS,
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
    private readonly userTypes: UserTypeService,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError for the first check that fails, in the order that docs/decisions.md states, and
   *   `directory.last_administrator` when no active administrator would be left
   */
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
      const row = await unassignUsers(sender, attribution, given);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), lenient);
      return { row, answer: represent(LISTS, request, options, row, changedPlaces) };
    });
    if (!options.dryRun) this.counts.add({ unassignments: row.moved, types: row.retyped });
    return answer;
  }

  /**
   * The inner half: removes known users from known places in the transaction of a larger change.
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
    const { moved, retyped, changes } = await unassignUsers(manager, judged, given);
    afterCommit(manager, () => this.counts.add({ unassignments: moved, types: retyped }));
    return changes ?? [];
  }
}
