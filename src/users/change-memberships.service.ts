import { Injectable } from '@nestjs/common';
import { prepared } from '../database/prepared-statements';
import type { ChangeContext } from '../auth/change-context';
import { recordableAttribution } from '../journal/recordable';
import { BulkChanges, type BulkRepresentation, type BulkRow } from './bulk-changes.service';
import { type BulkOptions, DEFAULT_OPTIONS, wantsResult } from './bulk-options';
import type { ChangedPlacesDto } from './dto/bulk.dto';
import { type IdLists, idsToFind } from './id-list.rules';
import { reasonRefusal } from './reason.rules';
import { changedPlaces } from './recorded-changes';
import { ruleParameter, UserTypeRule } from './user-type.rule';
import { firstRefusal, isWellShaped, LISTS } from './workspace-assignment.rules';

const STATEMENTS = { assign_users: statement('assign_users'), unassign_users: statement('unassign_users') };

interface MembershipRequest extends IdLists {
  reason?: unknown;
}

/** The answer of `assign_users` and `unassign_users`. */
interface MembershipRow extends BulkRow {
  /** The number of users who were added or removed. */
  moved: number;
  /** The number of users whose type changed. */
  retyped: number;
}

/** Adds each user to each workspace and group, or removes them: all of them, or none. */
@Injectable()
export abstract class ChangeMembershipsService {
  constructor(
    private readonly bulk: BulkChanges,
    private readonly rule: UserTypeRule,
  ) {}

  /** The SQL function that does it in one round trip. Its file documents its locks and their order. */
  protected abstract readonly by: keyof typeof STATEMENTS;
  protected abstract readonly counted: 'assignments' | 'unassignments';

  /**
   * @throws ServiceError for the first check that fails, in the contract's order; of an unassignment also
   *   `directory.last_administrator` when no active administrator would be left
   */
  execute(
    request: MembershipRequest,
    context: ChangeContext,
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<BulkRepresentation<ChangedPlacesDto>> {
    const reason = typeof request.reason === 'string' ? request.reason : context.reason;
    const badReason = reasonRefusal(request.reason);
    return this.bulk.make(
      {
        request,
        lists: LISTS,
        refusal: (known) => firstRefusal(request, options, known) ?? (known && badReason),
        change: async (sender) => {
          const [users = [], ...places] = LISTS.map((list) => idsToFind(list, request));
          const [row] = await sender.query<[MembershipRow]>(STATEMENTS[this.by], [
            // No user has the id null, so with a bad reason the records are looked up and nothing is written.
            badReason ? [...users, null] : users,
            ...places,
            ruleParameter(this.rule),
            // A malformed list or reason refuses the whole request.
            options.lenient && isWellShaped(request) && !badReason,
            wantsResult(options),
            ...recordableAttribution({ ...context, reason }),
          ]);
          return row;
        },
        counts: ({ moved, retyped }) => ({ [this.counted]: moved, types: retyped }),
        changed: changedPlaces,
      },
      options,
      context.unit,
    );
  }
}

function statement(by: string): string {
  return prepared(
    by,
    `SELECT outcome, known_users, known_workspaces, known_groups, moved, retyped, changes
     FROM ${by}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
  );
}
