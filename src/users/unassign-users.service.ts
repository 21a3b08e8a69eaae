import { Injectable } from '@nestjs/common';
import { ChangeMembershipsService } from './change-memberships.service';

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
export class UnassignUsersService extends ChangeMembershipsService {
  protected readonly by = 'unassign_users';
  protected readonly counted = 'unassignments';
}
