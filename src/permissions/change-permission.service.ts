import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import type { Judged } from '../auth/judge-caller';
import { Transactions } from '../database/transactions';
import { type AffectedUsers, everyHolderOf, holdersOf } from '../directory/affected-users';
import { type ChangedFields, changedFields } from '../records/changed-fields';
import { toBeRetyped } from '../directory/permission-holders';
import { Permission } from '../directory/permission.entity';
import { lockPlacesWith } from '../directory/permitted-places';
import { toPermissionRecord } from '../records/record-bodies';
import { Journal } from '../journal/journal';
import type { DryRunAnswer } from '../contract/answers';
import type { DryRunQueryDto } from '../records/dry-run.dto';
import { changeOrPreview, UserImpact } from '../users/user-type/user-impact';
import { AffectedTypes } from '../users/user-type/affected-types.service';
import { lockForChange } from '../records/lock-for-change';
import { updateRecord } from '../records/update-record';
import type { ChangePermissionDto, PermissionDto } from './permission.dto';

/** Changes the description of a permission or the type that it grants, and the types of all its holders. */
@Injectable()
export class ChangePermissionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `permission.unknown`, `record.changed`, `directory.last_administrator` */
  async execute(
    id: string,
    patch: ChangePermissionDto,
    context: ChangeContext,
    options: DryRunQueryDto = {},
  ): Promise<PermissionDto | DryRunAnswer> {
    return changeOrPreview(this.transactions, options, async (manager, impact) => {
      const lock = patch.grants === undefined ? 'for_no_key_update' : 'pessimistic_write';
      const target = { entity: Permission, id, lock, toBody: toPermissionRecord } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      const { key, description, grants } = found.record;
      const change = changedFields({ description, grants }, { description: patch.description, grants: patch.grants });
      if (!change.changed) return toPermissionRecord(found);
      // An own rule can derive the types otherwise: then they are counted as they change.
      if (impact && change.after.grants && this.types.rule.query === null)
        await UserImpact.refuseTooMany(manager, toBeRetyped(key, { before: grants, after: change.after.grants }));
      if (change.after.grants) await lockPlacesWith(manager, key);
      const holders =
        change.after.grants && (await this.types.lock(manager, (impact ? holdersOf : everyHolderOf)(key), judged));
      const record = await this.applyWithin(manager, judged, found.record, change, holders, impact);
      return toPermissionRecord({ record, permissions: [] });
    });
  }

  /**
   * The inner half: changes a locked permission in the transaction of a larger change.
   *
   * @param holders all of them, locked, if it grants another type
   * @param impact for a dry run
   * @throws ServiceError `directory.last_administrator`
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    permission: Permission,
    { before, after }: Pick<ChangedFields<Pick<Permission, 'description' | 'grants'>>, 'before' | 'after'>,
    holders?: AffectedUsers,
    impact?: UserImpact,
  ): Promise<Permission> {
    const { id } = permission;
    const record = await updateRecord(manager, Permission, permission, after);
    await this.journal.append(manager, judged, [
      { action: 'permission.updated', before: { permission: id, ...before }, after: { permission: id, ...after } },
    ]);
    // They hold what they held: it grants them another type.
    if (holders) await this.types.refresh(manager, holders, judged, undefined, { impact });
    return record;
  }
}
