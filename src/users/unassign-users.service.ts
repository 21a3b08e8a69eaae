import { Injectable } from '@nestjs/common';
import type { Attribution } from '../contract/attribution';
import type { IdempotentUnit } from '../database/transactions';
import { BulkChanges, type BulkRepresentation } from './bulk-changes.service';
import { type BulkOptions, DEFAULT_OPTIONS } from './bulk-options';
import { changeMemberships } from './change-memberships';
import type { ChangedPlacesDto } from './dto/bulk.dto';
import type { IdLists } from './id-list.rules';
import { changedPlaces } from './recorded-changes';
import { UserTypeRule } from './user-type.rule';
import { firstRefusal, LISTS } from './workspace-assignment.rules';

/**
 * Removes many users from groups or, without groups, from workspaces and so from the groups of these: all of them, or
 * none. Memberships that do not exist are no error.
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
    private readonly bulk: BulkChanges,
    private readonly rule: UserTypeRule,
  ) {}

  /**
   * @throws ServiceError for the first check that fails, in the order of an assignment, and `directory.last_administrator` when
   *   no active administrator would be left
   */
  execute(
    request: IdLists,
    attribution: Attribution,
    unit?: IdempotentUnit,
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<BulkRepresentation<ChangedPlacesDto>> {
    return this.bulk.make(
      {
        request,
        lists: LISTS,
        refusal: (known) => firstRefusal(request, options, known),
        // One round trip: it locks, judges the caller, writes, refreshes the types and appends to the journal.
        change: (sender) => changeMemberships(sender, 'unassign_users', request, attribution, options, this.rule),
        counts: ({ moved, retyped }) => ({ unassignments: moved, types: retyped }),
        changed: changedPlaces,
      },
      options,
      unit,
    );
  }
}
