import { Injectable } from '@nestjs/common';
import { Transactions } from '../database/transactions';
import { membersOf } from '../directory/affected-users';
import type { Group } from '../directory/group.entity';
import { deleteGroupsOf, groupsOf, lockGroupsOf } from '../directory/groups-of-workspace';
import { dividedByGroups, removeFromGroup, removeFromWorkspace } from '../directory/memberships';
import type { Workspace } from '../directory/workspace.entity';
import type { ChangeContext } from '../auth/change-context';
import { Journal } from '../journal/journal';
import { lockForChange } from '../records/lock-for-change';
import { AffectedTypes } from '../users/user-type/affected-types.service';
import { workspacesOf } from '../users/journal-entries';
import type { PlaceKind } from './place-kinds';

/**
 * Deletes a group with its memberships, or a workspace with its memberships and its groups. The members of a group stay in the
 * workspace. All members lose the permissions of the place, and their types are derived again.
 */
@Injectable()
export class DeletePlaceService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `workspace.unknown` or `group.unknown`, `record.changed`, `directory.last_administrator` */
  async execute<Place extends Workspace | Group>(
    { kind, entity, toBody }: PlaceKind<Place, object>,
    id: string,
    context: ChangeContext,
  ): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { found, judged } = await lockForChange(manager, context, {
        entity,
        id,
        lock: 'pessimistic_write',
        toBody,
      });
      const { key, name } = found.record;
      const { permissions } = found;
      const workspaces = workspacesOf(found.record);
      const isWorkspace = kind === 'workspace';
      if (isWorkspace) await lockGroupsOf(manager, key);
      const members = await this.types.lock(manager, membersOf(kind, key), judged);
      await this.journal.append(manager, judged, [
        isWorkspace
          ? { action: 'workspace.deleted', workspaces, before: { name, permissions } }
          : { action: 'group.deleted', workspaces, before: { group: id, name, permissions } },
      ]);
      if (isWorkspace)
        for await (const groups of groupsOf(manager, key)) {
          const deleted = groups.map((group) => ({ action: 'group.deleted', workspaces, before: group }) as const);
          await this.journal.append(manager, judged, deleted);
        }
      const remove = isWorkspace ? removeFromWorkspace : removeFromGroup;
      await this.types.refresh(manager, members, judged, async function* (part) {
        for await (const users of isWorkspace ? dividedByGroups(manager, part, key) : [part])
          yield (await remove(manager, users, key)).map((user) => {
            const before = { workspaces: isWorkspace ? workspaces : [], groups: user.groups };
            return { action: 'user.workspaces.unassigned', user: user.id, workspaces, before };
          });
      });
      if (isWorkspace) await deleteGroupsOf(manager, key);
      await manager.getRepository<Workspace | Group>(entity).delete({ key });
    });
  }
}
