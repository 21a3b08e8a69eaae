import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type ChangeContext, Transactions } from '../door';
import { CreatePlaceService } from '../../workspaces/create-place.service';
import { GROUP } from '../../workspaces/place-kinds';
import type { Connection } from './scim-request';
import { groupFieldsOf } from './group-fields';
import { GroupMembers } from './group-members';
import { judgeConnection } from './judge-connection';
import { GROUPS, type ProvisionedGroup } from './provisioned-group';
import { findResource } from './resource-kind';
import { lockMembers, lockNames, requireLocked, requireFreeName } from './lock-group';
import { retryChange } from './retry-change';

/** Creates a group in the workspace of a connection, with its members. */
@Injectable()
export class CreateScimGroupService {
  constructor(
    private readonly transactions: Transactions,
    private readonly creation: CreatePlaceService,
    private readonly members: GroupMembers,
  ) {}

  /** @throws ScimError `invalidSyntax`, `invalidValue`, `uniqueness`; ServiceError `auth.administrator_required` */
  execute(body: unknown, from: Connection, context: ChangeContext): Promise<ProvisionedGroup> {
    const { name, externalId, members } = groupFieldsOf(body);
    const id = uuidv7();
    return retryChange(this.transactions, async (manager) => {
      const locked = await lockNames(manager, from);
      const { users } = await lockMembers(manager, from, null, members);
      const connection = await judgeConnection(manager, from, context);
      const workspace = requireLocked(locked, connection);
      await requireFreeName(manager, from, name);

      const { judged, workspaceKey } = connection;
      const made = await this.creation.applyWithin(manager, judged, GROUP, { id, name, workspace });
      await manager.query(
        `WITH made AS (INSERT INTO scim_made_groups (connection_key, group_key) VALUES ($1, $2))
           INSERT INTO scim_groups (connection_key, group_key, external_id) VALUES ($1, $2, $3)`,
        [connection.key, made.key, externalId],
      );
      const place = { key: made.key, id, workspaceKey, workspaceId: made.workspace };
      await this.members.change(manager, connection, place, users, members);
      return (await findResource(manager, GROUPS, id, from))!;
    });
  }
}
