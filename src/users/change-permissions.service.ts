import { Injectable } from '@nestjs/common';
import { judgeCaller } from '../auth/judge-caller';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { holdPermissions } from '../directory/held-records';
import {
  grantPermissions,
  type HolderKind,
  lockHolder,
  permissionsOf,
  revokePermissions,
} from '../directory/permission-holders';
import type { Attribution } from '../contract/attribution';
import { Journal } from '../journal/journal';
import { permissionsChanged, typeChanged } from './journal-entries';
import { refuseUnknown } from './refuse-unknown';
import { UserTypeService } from './user-type.service';

export interface PermissionChange {
  holder: HolderKind;
  /** Of the user, workspace or group. */
  id: string;
  /** Ids of permissions to give. Those that the holder has already stay. */
  grant?: readonly string[];
  /** Ids of permissions to take. What is in both lists is taken. */
  revoke?: readonly string[];
}

/**
 * Changes what one user, workspace or group is permitted, and with it the type of everyone who holds it.
 *
 * No route leads here: it is for applications that build on this service.
 *
 * @example
 * await app.get(ChangePermissionsService).execute(
 *   { holder: 'workspace', id: 'atlas', grant: ['content.edit'] },
 *   { actor: { kind: 'service', id: 'provisioning' } },
 * );
 */
@Injectable()
export class ChangePermissionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly userTypes: UserTypeService,
    private readonly journal: Journal,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError `user.invalid`, `workspace.invalid` or `group.invalid` for an unknown holder, `permission.invalid`
   *   for unknown permissions, and `directory.last_administrator` when no active administrator would be left
   */
  async execute({ holder, id, grant = [], revoke = [] }: PermissionChange, attribution: Attribution): Promise<void> {
    const types = await this.transactions.run(async (manager) => {
      const permissions = await holdPermissions(manager, [...grant, ...revoke].filter(isIdentifier));
      const locked = isIdentifier(id) ? await lockHolder(manager, holder, id) : undefined;
      const judged = await judgeCaller(manager, attribution);
      if (!locked) throw new ServiceError(`${holder}.invalid`, { errors: [{ pointer: '/id', id }] });
      refuseUnknown('grant', grant, permissions, 'permission.invalid');
      refuseUnknown('revoke', revoke, permissions, 'permission.invalid');
      const before = await permissionsOf(manager, locked);
      await grantPermissions(manager, locked, permissions.keysOf(grant));
      await revokePermissions(manager, locked, permissions.keysOf(revoke));
      const after = await permissionsOf(manager, locked);
      const types = await this.userTypes.refresh(manager, locked.users, judged);
      const entries = [
        ...permissionsChanged({ holder, id, workspaces: locked.workspaces, before, after }),
        ...types.map(typeChanged),
      ];
      for (let start = 0; start < entries.length; start += LIMITS.users) {
        await this.journal.append(manager, judged, entries.slice(start, start + LIMITS.users));
      }
      return types.length;
    });
    this.counts.add({ types });
  }
}
