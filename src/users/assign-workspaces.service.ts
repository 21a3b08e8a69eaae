import { Injectable } from '@nestjs/common';
import { ChangeMembershipsService } from './change-memberships.service';

/** Assigns many users to many workspaces and groups: all of them, or none. */
@Injectable()
export class AssignWorkspacesService extends ChangeMembershipsService {
  protected readonly by = 'assign_users';
  protected readonly counted = 'assignments';
}
