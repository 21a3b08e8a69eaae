import { Injectable } from '@nestjs/common';
import { MemberChanges } from '@user-administration/scim-protocol';
import { type ChangeContext, Transactions } from '../door';
import { requirePreconditions } from '../../answers/etag';
import { permissionIdsOf } from '../../directory/permission-holders';
import { DeletePlaceService } from '../../workspaces/delete-place.service';
import type { Connection } from './scim-request';
import { GroupMembers } from './group-members';
import { toPlace, versionedGroup } from './provisioned-group';
import { lockGroup } from './lock-group';
import { notPermitted } from './protected-administrators.rule';
import { ScimError } from './scim-error';

/**
 * Deletes a group that a connection made, if only users of the connection are in it. They leave it as with a PATCH.
 */
@Injectable()
export class DeleteScimGroupService {
  constructor(
    private readonly transactions: Transactions,
    private readonly deletion: DeletePlaceService,
    private readonly members: GroupMembers,
  ) {}

  /**
   * @throws ServiceError `group.unknown`, `record.changed`, `auth.administrator_required` for a group that the
   *   connection did not make, `directory.last_administrator`; ScimError (409) if other users are in it
   */
  execute(id: string, from: Connection, context: ChangeContext): Promise<void> {
    const everyone = new MemberChanges();
    everyone.cleared = true;
    return this.transactions.run(async (manager) => {
      const { group, connection, users } = await lockGroup(manager, id, from, context, everyone);
      requirePreconditions(context, versionedGroup(group));
      if (!group.made) throw notPermitted('others made the group');
      const { key } = group;
      const [{ areOthers }] = await manager.query<[{ areOthers: boolean }]>(
        'SELECT EXISTS (SELECT FROM group_memberships WHERE group_key = $1 AND user_key <> ALL ' +
          '($2::bigint[]) AND NOT has_ended(ends_at, end_refused_at)) AS "areOthers"',
        [key, users],
      );
      if (areOthers) throw new ScimError('conflict', 'Users whom this connection does not know are in the group.');

      await this.members.change(manager, connection, group, users, everyone);
      const given: { id: string }[] = await manager.query(permissionIdsOf('group', '$1'), [key]);
      const permissions = given.map((permission) => permission.id);
      await this.deletion.applyWithin(manager, connection.judged, toPlace(group), permissions);
    });
  }
}
