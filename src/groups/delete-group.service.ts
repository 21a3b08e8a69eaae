import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../idempotency/change-context.decorator';
import { Transactions } from '../database/transactions';
import { membersOf } from '../directory/affected-users';
import { ChangeCounts } from '../directory/change-counts';
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
    private readonly counts: ChangeCounts,
  ) {}

  /** @throws ServiceError `group.unknown`, `record.changed`, `directory.last_administrator` */
  async execute(id: string, context: ChangeContext): Promise<void> {
    const types = await this.transactions.run(async (manager) => {
      const target = { entity: Group, id, lock: 'pessimistic_write', toBody: toGroupRecord } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      const { key } = found.record;
      const { name, workspace, permissions } = toGroupRecord(found);
      const concerns = [workspace];
      const members = await this.types.lock(manager, membersOf('group', key), judged);
      await this.journal.append(manager, judged, [
        { action: 'group.deleted', workspaces: concerns, before: { group: id, name, permissions } },
      ]);
      const types = await this.types.refresh(manager, members, judged, async (part) =>
        (await removeFromGroup(manager, part, key)).map((userId) =>
          unassigned({ userId, workspaces: [], groups: [id], concerns }),
        ),
      );
      await manager.delete(Group, { key });
      return types;
    });
    this.counts.add({ types });
  }
}
