import { Injectable } from '@nestjs/common';
import { judgeCaller } from '../auth/judge-caller';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { hold } from '../directory/share-locks';
import {
  grantPermissions,
  type HolderKind,
  holdersThrough,
  lockHolder,
  permissionsOf,
  revokePermissions,
} from '../directory/permission-holders';
import type { Attribution } from '../contract/attribution';
import { Journal } from '../journal/journal';
import { AffectedTypes } from './affected-types.service';
import { permissionsChanged } from './journal-entries';
import { refuseUnknown } from './refuse-unknown';

export interface PermissionChange {
  holder: HolderKind;
  /** The id of the user, workspace or group. */
  id: string;
  /** Ids of permissions to grant. Permissions that the holder already has stay. */
  grant?: readonly string[];
  /** Ids of permissions to revoke. A permission in both lists is revoked. */
  revoke?: readonly string[];
}

/**
 * Changes the permissions of one user, workspace or group, and the types of all affected users.
 *
 * No route uses this class: it is for applications that build on this service.
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
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError `user.invalid`, `workspace.invalid` or `group.invalid` for an unknown holder, `permission.invalid`
   *   for unknown permissions, and `directory.last_administrator` when no active administrator would be left
   */
  async execute({ holder, id, grant = [], revoke = [] }: PermissionChange, attribution: Attribution): Promise<void> {
    const types = await this.transactions.run(async (manager) => {
      const permissions = await hold(manager, 'permissions', [...grant, ...revoke].filter(isIdentifier));
      const locked = isIdentifier(id) ? await lockHolder(manager, holder, id) : undefined;
      const judged = await judgeCaller(manager, attribution);
      if (!locked) throw new ServiceError(`${holder}.invalid`, { errors: [{ pointer: '/id', id }] });
      refuseUnknown('grant', grant, permissions, 'permission.invalid');
      refuseUnknown('revoke', revoke, permissions, 'permission.invalid');
      const users = await this.types.lock(manager, holdersThrough(locked), judged);
      const before = await permissionsOf(manager, locked);
      await grantPermissions(manager, locked, permissions.keysOf(grant));
      await revokePermissions(manager, locked, permissions.keysOf(revoke));
      const after = await permissionsOf(manager, locked);
      const { workspaces } = locked;
      await this.journal.append(manager, judged, permissionsChanged({ holder, id, workspaces, before, after }));
      return this.types.refresh(manager, users, judged);
    });
    this.counts.add({ types });
  }
}
