import { Injectable } from '@nestjs/common';
import type { Attribution } from '../contract/attribution';
import type { IdempotentUnit } from '../database/transactions';
import type { AssignmentRequest } from './workspace-assignment.rules';
import { type BulkOptions, DEFAULT_OPTIONS } from './bulk-options';
import { MembershipChanges, type MembershipRepresentation } from './membership-changes.service';

/** Assigns many users to many workspaces and groups: all of them, or none. */
@Injectable()
export class AssignWorkspacesService {
  constructor(private readonly memberships: MembershipChanges) {}

  /** @throws ServiceError for the first check that fails, in the contract's order */
  execute(
    request: AssignmentRequest,
    attribution: Attribution,
    unit?: IdempotentUnit,
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<MembershipRepresentation> {
    return this.memberships.make('assign_users', request, attribution, options, unit);
  }
}
