import { Injectable } from '@nestjs/common';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { ChangeMemberships, membershipFunction } from './change-memberships';
import { UserTypeService } from './user-type/user-type.service';

const assignUsers = membershipFunction('assign_users');

/**
 * Assigns many users to many workspaces and groups. `change-memberships.ts` has the steps up to the SQL function,
 * `sql/assign_users.sql` those in it. `sql/lock_assignment.sql` has the rule that a group needs its workspace.
 */
@Injectable()
export class AssignWorkspacesService extends ChangeMemberships {
  constructor(transactions: Transactions, userTypes: UserTypeService, counts: ChangeCounts) {
    super(assignUsers, 'assignments', transactions, userTypes, counts);
  }
}
