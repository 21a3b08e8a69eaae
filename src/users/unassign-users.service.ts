import { Injectable } from '@nestjs/common';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { ChangeMemberships, membershipFunction } from './change-memberships';
import { UserTypeService } from './user-type/user-type.service';

const unassignUsers = membershipFunction('unassign_users');

/**
 * Removes many users from groups or, without groups, from workspaces and so from the groups of these. Memberships that
 * do not exist are no error.
 *
 * @example
 * await app.get(UnassignUsersService).execute(
 *   { userIds: ['ben'], workspaces: ['atlas'] },
 *   { actor: { kind: 'service', id: 'provisioning' } },
 * );
 */
@Injectable()
export class UnassignUsersService extends ChangeMemberships {
  constructor(transactions: Transactions, userTypes: UserTypeService, counts: ChangeCounts) {
    super(unassignUsers, 'unassignments', transactions, userTypes, counts);
  }
}
