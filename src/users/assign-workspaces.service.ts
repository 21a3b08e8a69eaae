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

/** Assigns many users to many workspaces and groups: all of them, or none. */
@Injectable()
export class AssignWorkspacesService {
  constructor(
    private readonly bulk: BulkChanges,
    private readonly rule: UserTypeRule,
  ) {}

  /** @throws ServiceError for the first check that fails, in the contract's order */
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
        change: (sender) => changeMemberships(sender, 'assign_users', request, attribution, options, this.rule),
        counts: ({ moved, retyped }) => ({ assignments: moved, types: retyped }),
        changed: changedPlaces,
      },
      options,
      unit,
    );
  }
}
