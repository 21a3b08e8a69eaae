import { Injectable } from '@nestjs/common';
import { judgeCaller } from '../auth/judge-caller';
import { isIdentifier } from '../contract/identifiers';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { holdWorkspaces } from '../directory/held-records';
import { LockedUsers } from '../directory/locked-users';
import { removeMemberships } from '../directory/memberships';
import type { Attribution } from '../contract/attribution';
import { Journal } from '../journal/journal';
import { typeChanged, unassigned } from './journal-entries';
import { refuseUnknown } from './refuse-unknown';
import { UserTypeService } from './user-type.service';

export interface Unassignment {
  userIds: readonly string[];
  workspaces: readonly string[];
}

/**
 * Takes users out of workspaces, and so out of the groups of these: all of them, or none. Being in none of them is no error.
 *
 * No route leads here: it is for applications that build on this service.
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
    private readonly transactions: Transactions,
    private readonly userTypes: UserTypeService,
    private readonly journal: Journal,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError `user.invalid` or `workspace.invalid` for ids that are unknown, and `directory.last_administrator`
   *   when no active administrator would be left
   */
  async execute({ userIds, workspaces: workspaceIds }: Unassignment, attribution: Attribution): Promise<void> {
    const types = await this.transactions.run(async (manager) => {
      const workspaces = await holdWorkspaces(manager, workspaceIds.filter(isIdentifier));
      const users = await LockedUsers.lock(manager, userIds.filter(isIdentifier));
      const judged = await judgeCaller(manager, attribution);
      refuseUnknown('userIds', userIds, users, 'user.invalid');
      refuseUnknown('workspaces', workspaceIds, workspaces, 'workspace.invalid');
      const memberships = await removeMemberships(manager, users, workspaces);
      const types = await this.userTypes.refresh(manager, users, judged);
      await this.journal.append(manager, judged, [...memberships.map(unassigned), ...types.map(typeChanged)]);
      return types.length;
    });
    this.counts.add({ types });
  }
}
