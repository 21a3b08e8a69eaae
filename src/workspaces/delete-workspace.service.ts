import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { membersOf } from '../directory/affected-users';
import { deleteGroupsOf, groupsOf, lockGroupsOf } from '../directory/groups-of-workspace';
import { removeFromWorkspace } from '../directory/memberships';
import { toWorkspaceRecord } from '../records/record-bodies';
import { Workspace } from '../directory/workspace.entity';
import { Journal } from '../journal/journal';
import { AffectedTypes } from '../users/affected-types.service';
import { unassigned } from '../users/journal-entries';
import { lockForChange } from '../records/lock-for-change';

/** Deletes a workspace with its groups and memberships. Its members lose its permissions, and their types are derived again. */
@Injectable()
export class DeleteWorkspaceService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `workspace.unknown`, `record.changed`, `directory.last_administrator` */
  async execute(id: string, context: ChangeContext): Promise<void> {
    await this.transactions.run(async (manager) => {
      const target = { entity: Workspace, id, lock: 'pessimistic_write', toBody: toWorkspaceRecord } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      const { record, permissions } = found;
      const { key, name } = record;
      await lockGroupsOf(manager, key);
      const members = await this.types.lock(manager, membersOf('workspace', key), judged);
      await this.journal.append(manager, judged, [
        { action: 'workspace.deleted', workspaces: [id], before: { name, permissions } },
      ]);
      for await (const groups of groupsOf(manager, key)) {
        const deleted = groups.map((group) => ({ action: 'group.deleted', workspaces: [id], before: group }) as const);
        await this.journal.append(manager, judged, deleted);
      }
      await this.types.refresh(manager, members, judged, async (part) =>
        (await removeFromWorkspace(manager, part, key)).map((user) =>
          unassigned(user.id, id, { workspaces: [id], groups: user.groups }),
        ),
      );
      await deleteGroupsOf(manager, key);
      await manager.delete(Workspace, { key });
    });
  }
}
