import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MemberChanges } from '@user-administration/scim-protocol';
import { type ChangeContext, Transactions } from '../door';
import { requirePreconditions } from '../../answers/etag';
import { ChangePlaceService } from '../../workspaces/change-place.service';
import { trimmedName } from './group-fields';
import type { Connection } from './scim-request';
import { type GroupChange, groupFieldsOf, patchedGroup } from './group-fields';
import { GroupMembers } from './group-members';
import { GROUPS, type ProvisionedGroup, toPlace, versionedGroup } from './provisioned-group';
import { findResource } from './resource-kind';
import { lockGroup, lockNames, requireLocked, requireFreeName } from './lock-group';
import { retryChange } from './retry-change';

/** Renames a group that a connection sees, and changes its members. */
@Injectable()
export class ChangeScimGroupService {
  constructor(
    private readonly transactions: Transactions,
    private readonly changes: ChangePlaceService,
    private readonly members: GroupMembers,
  ) {}

  /**
   * Clears what the body does not have; of the members, those that the connection knows.
   *
   * @throws ScimError; ServiceError `group.unknown`, `record.changed`, `auth.administrator_required`,
   *   `directory.last_administrator`
   */
  async replace(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<ProvisionedGroup> {
    return this.change(id, groupFieldsOf(body), connection, context);
  }

  /** @throws as {@link replace} */
  async patch(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<ProvisionedGroup> {
    let change: GroupChange;
    try {
      change = patchedGroup(body);
    } catch (error) {
      // An unknown group is refused first.
      await this.transactions.run((manager) => lockGroup(manager, id, connection, context, new MemberChanges()));
      throw error;
    }
    return this.change(id, change, connection, context);
  }

  private change(id: string, wanted: GroupChange, from: Connection, context: ChangeContext): Promise<ProvisionedGroup> {
    const { name, externalId, members } = wanted;
    return retryChange(this.transactions, async (manager) => {
      // Names are locked before the group, but only for a new one.
      const seen = name === undefined ? undefined : await findResource(manager, GROUPS, id, from);
      const names = seen && name !== trimmedName(seen.name) ? await lockNames(manager, from) : [];
      const { group, connection, users } = await lockGroup(manager, id, from, context, members);
      requirePreconditions(context, versionedGroup(group));
      const now = { ...group };
      if (name !== undefined && name !== trimmedName(group.name)) {
        requireLocked(names, connection);
        await requireFreeName(manager, from, name, group.key);
        const renamedAt = await this.changes.applyWithin(manager, connection.judged, toPlace(group), { name });
        now.name = name;
        if (renamedAt > group.updatedAt) now.updatedAt = renamedAt;
      }
      const areChanged = await this.members.change(manager, connection, group, users, members);
      if (externalId !== undefined) now.externalId = externalId;
      return areChanged || now.externalId !== group.externalId ? keep(manager, connection.key, now) : now;
    });
  }
}

/** Records a change of the members or the external id of a group. @returns the group after it */
async function keep(manager: EntityManager, connectionKey: string, group: ProvisionedGroup): Promise<ProvisionedGroup> {
  const [written] = await manager.query<[Pick<ProvisionedGroup, 'changes' | 'updatedAt'>]>(
    `INSERT INTO scim_groups AS seen (connection_key, group_key, external_id, changes) VALUES ($1, $2, $3, 1)
     ON CONFLICT (connection_key, group_key) DO UPDATE SET
       external_id = EXCLUDED.external_id, changes = seen.changes + 1, updated_at = GREATEST(now(), seen.updated_at)
     RETURNING changes, GREATEST(updated_at, $4) AS "updatedAt"`,
    [connectionKey, group.key, group.externalId, group.updatedAt],
  );
  return { ...group, ...written };
}
