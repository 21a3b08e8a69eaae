import { Injectable } from '@nestjs/common';
import { judgeCaller } from '../auth/judge-caller';
import type { Attribution } from '../contract/attribution';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { Transactions } from '../database/transactions';
import { findRecord, lockRecord } from '../records/find-record';
import { Group } from '../directory/group.entity';
import { lockExisting } from '../directory/locked-records';
import { grantPermissions, type HolderKind, holdersThrough, revokePermissions } from '../directory/permission-holders';
import { User } from '../directory/user.entity';
import { Workspace } from '../directory/workspace.entity';
import { Journal } from '../journal/journal';
import { AffectedTypes } from './user-type/affected-types.service';
import { permissionsChanged, workspacesOf } from '../journal/journal-entries';
import { refuseUnknown } from '../records/refuse-unknown';

const ENTITIES = { user: User, workspace: Workspace, group: Group };

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
  ) {}

  /**
   * @throws ServiceError `user.invalid`, `workspace.invalid` or `group.invalid` for an unknown holder,
   * `permission.invalid`
   *   for unknown permissions, and `directory.last_administrator` when no active administrator would be left
   */
  async execute({ holder, id, grant = [], revoke = [] }: PermissionChange, attribution: Attribution): Promise<void> {
    const entity: new () => User | Workspace | Group = ENTITIES[holder];
    await this.transactions.run(async (manager) => {
      const permissions = await lockExisting(manager, 'permissions', [...grant, ...revoke].filter(isIdentifier));
      const lock = holder === 'user' ? 'for_no_key_update' : 'pessimistic_write';
      const found = await lockRecord(manager, entity, id, lock);
      const judged = await judgeCaller(manager, attribution);
      if (!found) throw new ServiceError(`${holder}.invalid`, { errors: [{ pointer: '/id', id }] });
      refuseUnknown('grant', grant, permissions, 'permission.invalid');
      refuseUnknown('revoke', revoke, permissions, 'permission.invalid');

      const { record, permissions: before } = found;
      const changed = { kind: holder, key: record.key };
      const users = await this.types.lock(manager, holdersThrough(changed), judged);
      await grantPermissions(manager, changed, permissions.keysOf(grant));
      await revokePermissions(manager, changed, permissions.keysOf(revoke));
      const { permissions: after } = await findRecord(manager, entity, id);
      const change = { holder, id, workspaces: workspacesOf(record), before, after };
      await this.journal.append(manager, judged, permissionsChanged(change));
      await this.types.refresh(manager, users, judged);
    });
  }
}
