import { afterCommit } from '@user-administration/postgres';
import type { EntityManager } from 'typeorm';
import { type ChangeContext, withReason } from '../auth/change-context';
import type { Judged } from '../auth/judge-caller';
import { type Transactions } from '../database/transactions';
import type { ChangeCounts } from '../directory/change-counts';
import { recordingFunction } from '../journal/recording-function';
import {
  type BulkArguments,
  type BulkOptions,
  type BulkRepresentation,
  type BulkRow,
  DEFAULT_OPTIONS,
  type Ids,
  inBulk,
  knownIn,
  represent,
  wantsResult,
} from './bulk-changes';
import type { AssignWorkspacesDto } from './dto/assign-workspaces.dto';
import type { ChangedPlacesDto } from './dto/bulk.dto';
import { type KnownIds, idsToFind, USERS_AND_PLACES as LISTS } from './id-lists.rules';
import { refusalOfUnknown } from './lenient.rules';
import { changedPlaces, type RecordedChange } from './recorded-changes';
import type { UserTypeService } from './user-type/user-type.service';

interface PlaceArguments extends BulkArguments {
  workspaces: Ids;
  groups: Ids;
  /** When these memberships end, in ISO 8601; null for no end. */
  until: string | null;
  /** The query of the rule of types. */
  rule: string | null;
}

interface MembershipRow extends BulkRow {
  /** The number of users who were added or removed. */
  moved: number;
  /** The number of users whose type changed. */
  retyped: number;
}

/** Declares the SQL function that is the second half of a change. */
export const membershipFunction = (name: string) =>
  recordingFunction<PlaceArguments, MembershipRow>(
    name,
    {
      users: 'user_ids',
      workspaces: 'workspace_ids',
      groups: 'group_ids',
      rule: 'rule',
      lenient: 'lenient',
      represented: 'represented',
      until: 'until',
    },
    'outcome, known_users, known_workspaces, known_groups, moved, retyped, changes',
  );

/**
 * Changes in which workspaces and groups many users are: of all of them, or of none. `AssignWorkspacesDto` has checked
 * the shapes, and `id-lists.rules.ts` refuses what is too large or unknown.
 *
 * The SQL function is the second half of this page: in one round trip it locks (`sql/lock_assignment.sql`, which has
 * the rule that a group needs its workspace in the request), judges the caller, writes, refreshes types and appends to
 * the journal.
 */
export abstract class ChangeMemberships {
  constructor(
    private readonly change: ReturnType<typeof membershipFunction>,
    private readonly counted: 'assignments' | 'unassignments',
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
    const attribution = withReason(context, request);
    const { row, answer } = await inBulk(this.transactions, options, context.unit, async (sender) => {
      const row = await this.change(sender, attribution, given);
      if (row.outcome === 'unknown') throw refusalOfUnknown(LISTS, request, knownIn(row), lenient);
      return { row, answer: represent(LISTS, request, options, row, changedPlaces) };
    });
    if (!options.dryRun) this.counts.add({ [this.counted]: row.moved, types: row.retyped });
    return answer;
  }

  /**
   * The inner half: known users and known places, in the transaction of a larger change.
   *
   * @returns what changed, if `represented`
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    lists: KnownIds,
    represented = false,
  ): Promise<readonly RecordedChange[]> {
    const given = { ...lists, until: null, rule: this.userTypes.rule.query, lenient: false, represented };
    const { moved, retyped, changes } = await this.change(manager, judged, given);
    afterCommit(manager, () => this.counts.add({ [this.counted]: moved, types: retyped }));
    return changes ?? [];
  }
}
