import { afterCommit } from '@user-administration/postgres';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Judged, writeAndJudge } from '../auth/judge-caller';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { changedFields } from '../records/changed-fields';
import { type LockedRecords, lockExisting } from '../directory/locked-records';
import { LockedUsers } from '../directory/locked-users';
import { heldPermissions, replacePermissions } from '../directory/permission-holders';
import { toUserRecord } from '../records/record-bodies';
import { User } from '../directory/user.entity';
import { Journal } from '../journal/journal';
import { aheadOrNone } from './ahead-or-none';
import type { ChangeUserDto } from './dto/change-user.dto';
import { permissionsChanged, typeChanged } from '../journal/journal-entries';
import { lockForChange } from '../records/lock-for-change';
import { updateRecord } from '../records/update-record';
import { refuseUnknown } from '../records/refuse-unknown';
import { changeableFields, storedTexts, type UserTexts } from './user-fields';
import { userUpdated } from './user-facts';
import { UserTypeService } from './user-type/user-type.service';
import { changeOrPreview } from './user-type/user-impact';
import type { DryRunAnswer } from '../contract/answers';
import type { DryRunQueryDto } from '../records/dry-run.dto';
import type { UserRecordDto } from './dto/user.dto';

/** A row without a field is changed without it. */
type ChangedRow = Pick<User, 'key' | 'id' | 'type'> & UserTexts & Partial<Pick<User, 'activeUntil'>>;

/** A locked user. The permissions are those given directly, for a change of them. */
interface ChangedUser<Row extends ChangedRow> {
  record: Row;
  permissions: string[];
}

/** What is undefined stays. */
interface UserChange extends UserTexts {
  activeUntil?: Date | null | undefined;
  permissions?: LockedRecords | undefined;
}

/** Changes the fields and the direct permissions of a user. */
@Injectable()
export class ChangeUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly userTypes: UserTypeService,
    private readonly journal: Journal,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * @throws ServiceError `user.unknown`, `record.changed`, `field.invalid` for unknown permissions, `user.email_taken`,
   *   `directory.last_administrator`
   */
  async execute(
    id: string,
    patch: ChangeUserDto,
    context: ChangeContext,
    options: DryRunQueryDto = {},
  ): Promise<UserRecordDto | DryRunAnswer> {
    return changeOrPreview(this.transactions, options, async (manager, impact) => {
      const wanted = patch.permissions === undefined ? undefined : (patch.permissions ?? []);
      const permissions = await lockExisting(manager, 'permissions', wanted ?? []);
      const target = { entity: User, id, lock: 'for_no_key_update', toBody: toUserRecord } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      refuseUnknown('permissions', wanted ?? [], permissions, 'field.invalid');
      const { hasEnded, activeUntil: end } = found.record;
      const activeUntil = await aheadOrNone(manager, patch.activeUntil, hasEnded ? null : end);

      const change = { ...storedTexts(patch), activeUntil, permissions: wanted && permissions };
      const { id: userId, key, type: before } = found.record;
      const held = impact && (await heldPermissions(manager, key));
      const changed = await this.applyWithin(manager, judged, found, change);
      // An account that has ended stays inactive when it gets another end, even if nothing had carried the end out.
      if (found.record.hasEnded && !changed.record.hasEnded)
        await this.deactivateEnded(manager, judged, changed.record);
      const { type: after, status } = changed.record;
      const types = before === after ? [] : [{ userId, status, before, after }];
      if (held) {
        const isAffected = types.length > 0 || held !== (await heldPermissions(manager, key));
        impact.add(types, isAffected ? [userId] : []);
      }
      return toUserRecord(changed);
    });
  }

  /** Nobody counts as an administrator whose access has ended, so this takes none away. */
  private async deactivateEnded(manager: EntityManager, judged: Judged, user: User): Promise<void> {
    await manager.query(`SELECT set_statuses(ARRAY[$1::bigint], 'inactive')`, [user.key]);
    await this.journal.append(manager, judged, [
      { action: 'user.status.changed', user: user.id, before: { status: 'active' }, after: { status: 'inactive' } },
    ]);
    afterCommit(manager, () => this.counts.add({ statuses: 1 }));
    user.status = 'inactive';
  }

  /**
   * The inner half: changes a locked user in the transaction of a larger change.
   *
   * @returns the user as it is now
   * @throws ServiceError `directory.last_administrator`, and after the transaction `user.email_taken`
   */
  async applyWithin<Row extends ChangedRow>(
    manager: EntityManager,
    judged: Judged,
    found: ChangedUser<Row>,
    { permissions, ...change }: UserChange,
  ): Promise<ChangedUser<Row>> {
    const { record } = found;
    const { id } = record;
    const { before, after, changed } = changedFields(
      { ...changeableFields(record), permissions: found.permissions },
      { ...changeableFields(change), permissions: permissions?.sortedIds },
    );
    if (!changed) return found;
    const { permissions: given = found.permissions, activeUntil: end, ...others } = after;
    const newEnd = end !== undefined && { activeUntil: change.activeUntil ?? null, endRefusedAt: null };
    const fields = { ...others, ...newEnd };
    const write = (within: EntityManager) => updateRecord(within, User, record, fields);
    const written = await (after.email === undefined ? write(manager) : writeAndJudge(manager, judged, write));
    if (permissions && after.permissions)
      await replacePermissions(manager, { kind: 'user', key: record.key }, permissions.keys);
    const isTyped = after.permissions !== undefined || after.email !== undefined;
    const types = isTyped ? await this.userTypes.refresh(manager, new LockedUsers([record]), judged) : [];
    afterCommit(manager, () => this.counts.add({ types: types.length }));
    const lists = { before: found.permissions, after: given };
    await this.journal.append(manager, judged, [
      userUpdated(id, before, after),
      ...permissionsChanged({ holder: 'user', id, workspaces: [], ...lists }),
      ...types.map(typeChanged),
    ]);
    const ended = end !== undefined && { hasEnded: false };
    return { record: { ...written, ...ended, type: types[0]?.after ?? record.type }, permissions: given };
  }
}
