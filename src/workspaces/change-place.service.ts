import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import type { Judged } from '../auth/judge-caller';
import { Transactions } from '../database/transactions';
import { type AffectedUsers, membersOf } from '../directory/affected-users';
import { changedFields } from '../records/changed-fields';
import { Group } from '../directory/group.entity';
import { type LockedRecords, lockExisting } from '../directory/locked-records';
import { affectedByPlace, replacePermissions, toBeAffected } from '../directory/permission-holders';
import { Workspace } from '../directory/workspace.entity';
import { Journal } from '../journal/journal';
import type { DryRunAnswer } from '../contract/answers';
import type { DryRunQueryDto } from '../records/dry-run.dto';
import { type AffectedOf, changeOrPreview, UserImpact } from '../users/user-type/user-impact';
import { AffectedTypes } from '../users/user-type/affected-types.service';
import { permissionsChanged } from '../journal/journal-entries';
import { lockForChange } from '../records/lock-for-change';
import { updateRecord } from '../records/update-record';
import { refuseUnknown } from '../records/refuse-unknown';
import { placeRenamed } from './place-facts';
import { type LockedPlace, lockedPlace, type PlaceKind } from './place-kinds';

/** The fields to change. Missing ones stay as they are. Null clears the permissions. */
interface PlacePatch {
  name?: string;
  permissions?: string[] | null;
}

/** What differs; undefined if it stays. */
interface PlaceChange {
  name?: string;
  /** All of them, the ids of those before, and all members of the place, locked. */
  permissions?: { given: LockedRecords; before: string[]; members: AffectedUsers };
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
   * @throws ServiceError `workspace.unknown` or `group.unknown`, `record.changed`, `field.invalid` for unknown
   *   permissions, `directory.last_administrator`
   */
  async execute<Place extends Workspace | Group, Body extends object>(
    { kind, entity, toBody }: PlaceKind<Place, Body>,
    id: string,
    patch: PlacePatch,
    context: ChangeContext,
    options: DryRunQueryDto = {},
  ): Promise<Body | DryRunAnswer> {
    return changeOrPreview(this.transactions, options, async (manager, impact) => {
      const wanted = patch.permissions === undefined ? undefined : (patch.permissions ?? []);
      const given = await lockExisting(manager, 'permissions', wanted ?? []);
      const lock = wanted ? 'pessimistic_write' : 'for_no_key_update';
      const { found, judged } = await lockForChange(manager, context, { entity, id, lock, toBody });
      refuseUnknown('permissions', wanted ?? [], given, 'field.invalid');

      const { record, permissions: before } = found;
      const { changed, after } = changedFields(
        { name: record.name, permissions: before },
        { name: patch.name, permissions: wanted && given.sortedIds },
      );
      if (!changed) return toBody(found);
      const { permissions = before, ...fields } = after;
      if (after.permissions && impact) {
        const place = { kind, key: record.key };
        const differing = gainedAndLost(before, given);
        await UserImpact.refuseTooMany(manager, toBeAffected({ place, ...differing }));
      }
      const members = after.permissions && (await this.types.lock(manager, membersOf(kind, record.key), judged));
      const change = { ...fields, ...(members && { permissions: { given, before, members } }) };
      const updatedAt = await this.applyWithin(manager, judged, lockedPlace(record), change, impact);
      return toBody({ record: { ...record, ...fields, updatedAt }, permissions });
    });
  }

  /**
   * The inner half: changes a locked place in the transaction of a larger change.
   *
   * @param impact for a dry run
   * @returns the time of the change
   * @throws ServiceError `directory.last_administrator`
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    place: LockedPlace,
    { name, permissions }: PlaceChange,
    impact?: UserImpact,
  ): Promise<Date> {
    const { kind: holder, id, workspace } = place;
    const entity: new () => Workspace | Group = holder === 'group' ? Group : Workspace;
    const fields = name === undefined ? {} : { name };
    const { updatedAt } = await updateRecord(manager, entity, place, fields);
    const entries = name === undefined ? [] : [placeRenamed(place, name)];
    if (permissions) {
      const { given, before } = permissions;
      await replacePermissions(manager, place, given.keys);
      entries.push(...permissionsChanged({ holder, id, workspaces: [workspace], before, after: given.sortedIds }));
    }
    await this.journal.append(manager, judged, entries);
    if (permissions) {
      const { given, before, members } = permissions;
      const change = { place: { kind: holder, key: place.key }, ...gainedAndLost(before, given) };
      const affected: AffectedOf = ({ keys }) => affectedByPlace(manager, keys, change);
      await this.types.refresh(manager, members, judged, undefined, { impact, affected });
    }
    return updatedAt;
  }
}

function gainedAndLost(before: readonly string[], given: LockedRecords): { gained: string[]; lost: string[] } {
  return {
    gained: given.ids.filter((one) => !before.includes(one)),
    lost: before.filter((one) => !given.has(one)),
  };
}
