import { Injectable } from '@nestjs/common';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { ChangePlaces, placesFunction } from './change-places';
import { UserTypeService } from './user-type/user-type.service';

const assignUsers = placesFunction('assign_users');

/** Assigns many users to many workspaces and groups. */
@Injectable()
export class AssignWorkspacesService extends ChangePlaces {
  constructor(transactions: Transactions, userTypes: UserTypeService, counts: ChangeCounts) {
    super(assignUsers, 'assignments', transactions, userTypes, counts);
  }
}
