import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { membersOf } from '../directory/affected-users';
import { changedFields } from '../records/changed-fields';
import { Group } from '../directory/group.entity';
import { lockExisting } from '../directory/locked-records';
import { replacePermissions } from '../directory/permission-holders';
import type { Workspace } from '../directory/workspace.entity';
import { Journal } from '../journal/journal';
import type { NewEntry } from '../journal/new-entry';
import { AffectedTypes } from '../users/user-type/affected-types.service';
import { permissionsChanged, workspacesOf } from '../users/journal-entries';
import { lockForChange } from '../records/lock-for-change';
import { updateRecord } from '../records/update-record';
import { refuseUnknown } from '../users/refuse-unknown';
import type { PlaceKind } from './place-kinds';

/** The fields to change. Missing ones stay as they are. Null clears the permissions. */
interface PlacePatch {
  name?: string;
  permissions?: string[] | null;
}

/** Changes the name and the permissions of a workspace or a group. */
@Injectable()
export class ChangePlaceService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
  ) {}

  /**
   * @throws ServiceError `workspace.unknown` or `group.unknown`, `record.changed`, `field.invalid` for unknown permissions,
   *   `directory.last_administrator`
   */
  async execute<Place extends Workspace | Group, Body extends object>(
    { kind, entity, toBody }: PlaceKind<Place, Body>,
    id: string,
    patch: PlacePatch,
    context: ChangeContext,
  ): Promise<Body> {
    return this.transactions.run(async (manager) => {
      const wanted = patch.permissions === undefined ? undefined : (patch.permissions ?? []);
      const permissions = await lockExisting(manager, 'permissions', wanted ?? []);
      const lock = wanted ? 'pessimistic_write' : 'for_no_key_update';
      const { found, judged } = await lockForChange(manager, context, { entity, id, lock, toBody });
      refuseUnknown('permissions', wanted ?? [], permissions, 'field.invalid');

      const { record } = found;
      const { changed, after } = changedFields(
        { name: record.name, permissions: found.permissions },
        { name: patch.name, permissions: wanted && permissions.sortedIds },
      );
      if (!changed) return toBody(found);
      const { permissions: given = found.permissions, ...fields } = after;
      const { name } = fields;
      const workspaces = workspacesOf(record);
      const entries = name === undefined ? [] : [renamed(record, workspaces, name)];
      const { key } = record;
      const members = after.permissions && (await this.types.lock(manager, membersOf(kind, key), judged));
      const written = await updateRecord(manager, entity, record, fields as Partial<Place>);
      if (after.permissions) {
        await replacePermissions(manager, { kind, key }, permissions.keys);
        const lists = { before: found.permissions, after: given };
        entries.push(...permissionsChanged({ holder: kind, id, workspaces, ...lists }));
      }
      await this.journal.append(manager, judged, entries);
      if (members) await this.types.refresh(manager, members, judged);
      return toBody({ record: written, permissions: given });
    });
  }
}

function renamed(place: Workspace | Group, workspaces: string[], name: string): NewEntry {
  const { id: group, name: old } = place;
  return place instanceof Group
    ? { action: 'group.updated', workspaces, before: { group, name: old }, after: { group, name } }
    : { action: 'workspace.updated', workspaces, before: { name: old }, after: { name } };
}
