import { Injectable } from '@nestjs/common';
import { requireMatch } from '../answers/etag';
import { judgeCaller } from '../auth/judge-caller';
import type { Attribution } from '../contract/attribution';
import type { GroupBody, WithPermissions } from '../contract/records';
import { Transactions } from '../database/transactions';
import { membersOf } from '../directory/affected-users';
import { ChangeCounts } from '../directory/change-counts';
import { changedFields } from '../directory/changed-fields';
import { type FoundRecord, findRecord, lockRecord, requireRecord } from '../directory/find-record';
import { Group } from '../directory/group.entity';
import { holdPermissions } from '../directory/held-records';
import { replacePermissions } from '../directory/permission-holders';
import { toGroupBody } from '../directory/record-bodies';
import { Journal } from '../journal/journal';
import type { NewEntry } from '../journal/new-entry';
import { AffectedTypes } from '../users/affected-types.service';
import { permissionsChanged } from '../users/journal-entries';
import { refuseUnknown } from '../users/refuse-unknown';
import type { ChangeGroupDto } from './dto/change-group.dto';

/** Changes the name and the permissions of a group. */
@Injectable()
export class ChangeGroupService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError `group.unknown`, `record.changed`, `field.invalid` for unknown permissions,
   *   `directory.last_administrator`
   */
  async execute(
    id: string,
    patch: ChangeGroupDto,
    attribution: Attribution,
    ifMatch?: string,
  ): Promise<WithPermissions<GroupBody>> {
    const { group, types } = await this.transactions.run(async (manager) => {
      const wanted = patch.permissions === undefined ? undefined : (patch.permissions ?? []);
      const permissions = await holdPermissions(manager, wanted ?? []);
      const locked = await lockRecord(manager, Group, id, wanted ? 'pessimistic_write' : 'for_no_key_update');
      const judged = await judgeCaller(manager, attribution);
      const found = requireRecord(Group, locked);
      requireMatch(ifMatch, toBody(found));
      refuseUnknown('permissions', wanted ?? [], permissions, 'field.invalid');

      const { record } = found;
      const { changed, after } = changedFields(
        { name: record.name, permissions: found.permissions },
        { name: patch.name, permissions: wanted && permissions.sortedIds },
      );
      if (!changed) return { group: toBody(found), types: 0 };
      const { name } = after;
      const workspaces = [record.workspace?.id ?? ''];
      const entries: NewEntry[] =
        name === undefined
          ? []
          : [
              {
                action: 'group.updated',
                workspaces,
                before: { group: id, name: record.name },
                after: { group: id, name },
              },
            ];
      const { key } = record;
      const members = after.permissions && (await this.types.lock(manager, membersOf('group', key), judged));
      await manager.update(Group, { key }, { name, updatedAt: () => 'now()' });
      if (after.permissions) {
        await replacePermissions(manager, { kind: 'group', key }, permissions.keys);
        const lists = { before: found.permissions, after: after.permissions };
        entries.push(...permissionsChanged({ holder: 'group', id, workspaces, ...lists }));
      }
      await this.journal.append(manager, judged, entries);
      const types = members ? await this.types.refresh(manager, members, judged) : 0;
      return { group: toBody(await findRecord(manager, Group, id)), types };
    });
    this.counts.add({ types });
    return group;
  }
}

function toBody({ record, permissions }: FoundRecord<Group>): WithPermissions<GroupBody> {
  return { ...toGroupBody(record), permissions };
}
