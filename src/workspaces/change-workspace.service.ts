import { Injectable } from '@nestjs/common';
import { requireMatch } from '../answers/etag';
import { judgeCaller } from '../auth/judge-caller';
import type { Attribution } from '../contract/attribution';
import type { WorkspaceBody, WithPermissions } from '../contract/records';
import { Transactions } from '../database/transactions';
import { membersOf } from '../directory/affected-users';
import { ChangeCounts } from '../directory/change-counts';
import { changedFields } from '../directory/changed-fields';
import { type FoundRecord, findRecord, lockRecord, requireRecord } from '../directory/find-record';
import { Workspace } from '../directory/workspace.entity';
import { holdPermissions } from '../directory/held-records';
import { replacePermissions } from '../directory/permission-holders';
import { toWorkspaceBody } from '../directory/record-bodies';
import { Journal } from '../journal/journal';
import type { NewEntry } from '../journal/new-entry';
import { AffectedTypes } from '../users/affected-types.service';
import { permissionsChanged } from '../users/journal-entries';
import { refuseUnknown } from '../users/refuse-unknown';
import type { ChangeWorkspaceDto } from './dto/change-workspace.dto';

/** Changes the name and the permissions of a workspace. */
@Injectable()
export class ChangeWorkspaceService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError `workspace.unknown`, `record.changed`, `field.invalid` for unknown permissions,
   *   `directory.last_administrator`
   */
  async execute(
    id: string,
    patch: ChangeWorkspaceDto,
    attribution: Attribution,
    ifMatch?: string,
  ): Promise<WithPermissions<WorkspaceBody>> {
    const { workspace, types } = await this.transactions.run(async (manager) => {
      const wanted = patch.permissions === undefined ? undefined : (patch.permissions ?? []);
      const permissions = await holdPermissions(manager, wanted ?? []);
      const locked = await lockRecord(manager, Workspace, id, wanted ? 'pessimistic_write' : 'for_no_key_update');
      const judged = await judgeCaller(manager, attribution);
      const found = requireRecord(Workspace, locked);
      requireMatch(ifMatch, toBody(found));
      refuseUnknown('permissions', wanted ?? [], permissions, 'field.invalid');

      const { record } = found;
      const { changed, after } = changedFields(
        { name: record.name, permissions: found.permissions },
        { name: patch.name, permissions: wanted && permissions.sortedIds },
      );
      if (!changed) return { workspace: toBody(found), types: 0 };
      const { name } = after;
      const workspaces = [id];
      const entries: NewEntry[] =
        name === undefined
          ? []
          : [{ action: 'workspace.updated', workspaces, before: { name: record.name }, after: { name } }];
      const { key } = record;
      const members = after.permissions && (await this.types.lock(manager, membersOf('workspace', key), judged));
      await manager.update(Workspace, { key }, { name, updatedAt: () => 'now()' });
      if (after.permissions) {
        await replacePermissions(manager, { kind: 'workspace', key }, permissions.keys);
        const lists = { before: found.permissions, after: after.permissions };
        entries.push(...permissionsChanged({ holder: 'workspace', id, workspaces, ...lists }));
      }
      await this.journal.append(manager, judged, entries);
      const types = members ? await this.types.refresh(manager, members, judged) : 0;
      return { workspace: toBody(await findRecord(manager, Workspace, id)), types };
    });
    this.counts.add({ types });
    return workspace;
  }
}

function toBody({ record, permissions }: FoundRecord<Workspace>): WithPermissions<WorkspaceBody> {
  return { ...toWorkspaceBody(record), permissions };
}
