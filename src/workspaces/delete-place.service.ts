import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import type { Judged } from '../auth/judge-caller';
import { Transactions } from '../database/transactions';
import { type AffectedUsers, idsAmong, membersOf, presentIn } from '../directory/affected-users';
import { Group } from '../directory/group.entity';
import { deleteGroupsOf, groupsOf, lockGroupsOf } from '../directory/groups-of-workspace';
import { dividedByGroups } from '../directory/memberships';
import { Workspace } from '../directory/workspace.entity';
import { Journal } from '../journal/journal';
import { recordingFunction } from '../journal/recording-function';
import { lockForChange } from '../records/lock-for-change';
import type { DryRunAnswer } from '../contract/answers';
import type { DryRunQueryDto } from '../records/dry-run.dto';
import { changeOrPreview, UserImpact } from '../users/user-type/user-impact';
import { AffectedTypes, type ChangeOfPart } from '../users/user-type/affected-types.service';
import { DeletionNotes } from './deletion-notes';
import { placeDeleted } from './place-facts';
import { type LockedPlace, lockedPlace, type PlaceKind } from './place-kinds';

const takeMembersOut = recordingFunction<
  { users: string[]; kind: PlaceKind['kind']; place: string },
  { unassigned: number }
>('take_members_out', { users: 'user_keys', kind: 'kind', place: 'place_key' }, 'unassigned');

/**
 * Deletes a group with its memberships, or a workspace with its memberships and its groups. The members of a group stay
 * in the workspace. All members lose the permissions of the place, and their types are derived again.
 */
@Injectable()
export class DeletePlaceService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
    private readonly notes: DeletionNotes,
  ) {}

  /** @throws ServiceError `workspace.unknown` or `group.unknown`, `record.changed`, `directory.last_administrator` */
  async execute<Place extends Workspace | Group>(
    { kind, entity, toBody }: PlaceKind<Place>,
    id: string,
    context: ChangeContext,
    options: DryRunQueryDto = {},
  ): Promise<void | DryRunAnswer> {
    return changeOrPreview(this.transactions, options, async (manager, impact) => {
      const target = { entity, id, lock: 'pessimistic_write', toBody } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      const place = lockedPlace(found.record);
      if (impact) await UserImpact.refuseTooMany(manager, presentIn(kind, place.key));
      if (impact && kind === 'workspace') impact.besides = await this.notes.of(manager, place.key);
      if (kind === 'workspace') await lockGroupsOf(manager, place.key);
      const members = await this.types.lock(manager, membersOf(kind, place.key), judged);
      await this.applyWithin(manager, judged, place, found.permissions, members, impact);
    });
  }

  /**
   * The inner half: deletes a place, locked exclusively as are its groups, in the transaction of a larger change.
   *
   * @param permissions the ids of its permissions, in order
   * @param members all of them, locked; undefined if nobody is in the place
   * @param impact for a dry run
   * @throws ServiceError `directory.last_administrator`
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    place: LockedPlace,
    permissions: readonly string[],
    members?: AffectedUsers,
    impact?: UserImpact,
  ): Promise<void> {
    const { kind, key, workspace } = place;
    const isWorkspace = kind === 'workspace';
    await this.journal.append(manager, judged, [placeDeleted(place, permissions)]);
    if (isWorkspace)
      for await (const groups of groupsOf(manager, key)) {
        const deleted = groups.map((group) => placeDeleted({ kind: 'group', workspace, ...group }, group.permissions));
        await this.journal.append(manager, judged, deleted);
      }
    let left: string[] = [];
    const leave: ChangeOfPart = async (part) => {
      if (impact) left = await idsAmong(manager, part, presentIn(kind, key));
      let unassigned = 0;
      for await (const users of isWorkspace ? dividedByGroups(manager, part, key) : [part])
        unassigned += (await takeMembersOut(manager, judged, { users: users.keys, kind, place: key })).unassigned;
      return unassigned;
    };
    if (members) await this.types.refresh(manager, members, judged, leave, { impact, affected: () => left });
    if (isWorkspace) await deleteGroupsOf(manager, key);
    await manager.getRepository<Workspace | Group>(isWorkspace ? Workspace : Group).delete({ key });
  }
}
