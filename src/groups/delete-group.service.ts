import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { membersOf } from '../directory/affected-users';
import { Group } from '../directory/group.entity';
import { removeFromGroup } from '../directory/memberships';
import { toGroupRecord } from '../records/record-bodies';
import { Journal } from '../journal/journal';
import { AffectedTypes } from '../users/affected-types.service';
import { unassigned } from '../users/journal-entries';
import { lockForChange } from '../records/lock-for-change';

/** Deletes a group with its memberships. Its members stay in the workspace, and lose the permissions of the group. */
@Injectable()
export class DeleteGroupService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `group.unknown`, `record.changed`, `directory.last_administrator` */
  async execute(id: string, context: ChangeContext): Promise<void> {
    await this.transactions.run(async (manager) => {
      const target = { entity: Group, id, lock: 'pessimistic_write', toBody: toGroupRecord } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      const { key } = found.record;
      const { name, workspace, permissions } = toGroupRecord(found);
      const members = await this.types.lock(manager, membersOf('group', key), judged);
      await this.journal.append(manager, judged, [
        { action: 'group.deleted', workspaces: [workspace], before: { group: id, name, permissions } },
      ]);
      await this.types.refresh(manager, members, judged, async (part) =>
        (await removeFromGroup(manager, part, key)).map((user) =>
          unassigned(user, workspace, { workspaces: [], groups: [id] }),
        ),
      );
      await manager.delete(Group, { key });
    });
  }
}
