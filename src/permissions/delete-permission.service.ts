import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChangeContext } from '../auth/change-context';
import type { Judged } from '../auth/judge-caller';
import { Transactions } from '../database/transactions';
import { type AffectedUsers, everyHolderOf, holdersOf } from '../directory/affected-users';
import { Permission } from '../directory/permission.entity';
import { type ChangedHolder, lockPlacesWith, takeFromPlaces, takeFromUsers } from '../directory/permitted-places';
import { toPermissionRecord } from '../records/record-bodies';
import { Journal } from '../journal/journal';
import type { DryRunAnswer } from '../contract/answers';
import type { DryRunQueryDto } from '../records/dry-run.dto';
import { changeOrPreview, UserImpact } from '../users/user-type/user-impact';
import { AffectedTypes, type ChangeOfPart } from '../users/user-type/affected-types.service';
import { permissionsChanged } from '../journal/journal-entries';
import { lockForChange } from '../records/lock-for-change';
import { permissionFacts } from './permission-facts';

/** Deletes a permission. All its holders lose it, and their types are derived again. */
@Injectable()
export class DeletePermissionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `permission.unknown`, `record.changed`, `directory.last_administrator` */
  async execute(id: string, context: ChangeContext, options: DryRunQueryDto = {}): Promise<void | DryRunAnswer> {
    return changeOrPreview(this.transactions, options, async (manager, impact) => {
      const target = { entity: Permission, id, lock: 'pessimistic_write', toBody: toPermissionRecord } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      const { key } = found.record;
      if (impact) await UserImpact.refuseTooMany(manager, holdersOf(key));
      await lockPlacesWith(manager, key);
      const holders = await this.types.lock(manager, (impact ? holdersOf : everyHolderOf)(key), judged);
      await this.applyWithin(manager, judged, found.record, holders, impact);
    });
  }

  /**
   * The inner half: deletes a permission in the transaction of a larger change. It is locked exclusively, as are the
   * places that have it.
   *
   * @param holders all of them, locked
   * @param impact for a dry run
   * @throws ServiceError `directory.last_administrator`
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    permission: Permission,
    holders: AffectedUsers,
    impact?: UserImpact,
  ): Promise<void> {
    const { key, id } = permission;
    const lost = (holder: ChangedHolder) =>
      permissionsChanged({ ...holder, after: holder.before.filter((one) => one !== id) });
    await this.journal.append(manager, judged, [{ action: 'permission.deleted', before: permissionFacts(permission) }]);
    for await (const places of takeFromPlaces(manager, key)) {
      await this.journal.append(manager, judged, places.flatMap(lost));
    }
    const take: ChangeOfPart = async (part) => {
      await this.journal.append(manager, judged, (await takeFromUsers(manager, key, part)).flatMap(lost));
      return 0;
    };
    await this.types.refresh(manager, holders, judged, take, { impact, affected: ({ ids }) => ids });
    await manager.delete(Permission, { key });
  }
}
