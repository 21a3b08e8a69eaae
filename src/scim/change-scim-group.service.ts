import { Injectable } from '@nestjs/common';
import { requirePreconditions } from '../answers/etag';
import type { ChangeContext } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { Transactions } from '../database/transactions';
import { ChangePlaceService } from '../workspaces/change-place.service';
import { beginAgain } from './begin-again';
import { trimmedName } from './comparable-names';
import type { Connection } from './current-connection';
import { type GroupFields, groupFieldsOf, patchedGroup } from './group-fields';
import { GroupMembers } from './group-members';
import { requireFreeName } from './group-names';
import { judgeConnection } from './judge-connection';
import { type KeptGroup, toPlace, versionedGroup } from './kept-group';
import { findGroup, lockGroup, lockMembers, lockNames, requireLocked } from './lock-group';

/** Renames a group that a connection sees, and changes its members. */
@Injectable()
export class ChangeScimGroupService {
  constructor(
    private readonly transactions: Transactions,
    private readonly changes: ChangePlaceService,
    private readonly members: GroupMembers,
  ) {}

  /**
   * What is absent is cleared, of the members those whom the connection knows.
   *
   * @throws ScimError; ServiceError `group.unknown`, `record.changed`, `auth.administrator_required`, `directory.last_administrator`
   */
  replace(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<KeptGroup> {
    const fields = groupFieldsOf(body);
    return this.change(id, () => fields, connection, context);
  }

  /** @throws as {@link replace} */
  patch(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<KeptGroup> {
    return this.change(id, (kept) => patchedGroup(kept, body), connection, context);
  }

  private change(
    id: string,
    fieldsOf: (kept: KeptGroup) => GroupFields,
    from: Connection,
    context: ChangeContext,
  ): Promise<KeptGroup> {
    return beginAgain(() =>
      this.transactions.run(async (manager) => {
        // What the request wants is known before the locks, but for a name and an external id that stay as they are.
        const seen = await findGroup(manager, id, from);
        if (!seen) {
          // A connection that has ended sees no group, and is told so.
          await judgeConnection(manager, from, context);
          throw new ServiceError('group.unknown');
        }
        const { members, name: asked } = fieldsOf(seen);
        const locked = asked === trimmedName(seen.name) ? undefined : await lockNames(manager, from);
        // Without joiners, the members are those that leave.
        const kept = await lockGroup(manager, seen, from, members.cleared ? 'UPDATE' : 'NO KEY UPDATE');
        const users = await lockMembers(manager, from, kept?.key, members);
        const connection = await judgeConnection(manager, from, context);
        if (!kept || !connection.workspaceKeys.includes(kept.workspaceKey)) throw new ServiceError('group.unknown');
        requirePreconditions(context, versionedGroup(kept));
        const { name, externalId } = fieldsOf(kept);
        const isRenamed = name !== trimmedName(kept.name);
        if (isRenamed) {
          requireLocked(locked ?? [], connection);
          await requireFreeName(manager, from, name, kept.key);
          await this.changes.within(manager, connection.judged, toPlace(kept), { name });
        }
        const areChanged = await this.members.change(manager, connection, kept, users, members);
        if (!areChanged && externalId === kept.externalId) {
          return isRenamed ? (await findGroup(manager, id, from))! : kept;
        }
        await manager.query(
          `INSERT INTO scim_groups (connection_key, group_key, external_id, changes) VALUES ($1, $2, $3, 1)
           ON CONFLICT (connection_key, group_key) DO UPDATE SET external_id = EXCLUDED.external_id, changes = scim_groups.changes + 1,
             updated_at = GREATEST(now(), scim_groups.updated_at)`,
          [connection.key, kept.key, externalId],
        );
        return (await findGroup(manager, id, from))!;
      }),
    );
  }
}
