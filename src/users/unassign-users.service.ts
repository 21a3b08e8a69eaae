import { Injectable } from '@nestjs/common';
import type { Attribution } from '../contract/attribution';
import type { IdempotentUnit } from '../database/transactions';
import type { AssignmentRequest } from './workspace-assignment.rules';
import { type BulkOptions, DEFAULT_OPTIONS } from './bulk-options';
import { MembershipChanges, type MembershipRepresentation } from './membership-changes.service';

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
  constructor(private readonly memberships: MembershipChanges) {}

  /**
   * @throws ServiceError for the first check that fails, in the order of an assignment, and `directory.last_administrator` when
   *   no active administrator would be left
   */
  execute(
    request: AssignmentRequest,
    attribution: Attribution,
    unit?: IdempotentUnit,
    options: BulkOptions = DEFAULT_OPTIONS,
  ): Promise<MembershipRepresentation> {
    return this.memberships.make('unassign_users', request, attribution, options, unit);
  }
}
