import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { holdersOf } from '../directory/affected-users';
import { Permission } from '../directory/permission.entity';
import { type ChangedHolder, lockPlacesWith, takeFromPlaces, takeFromUsers } from '../directory/permitted-places';
import { toPermissionRecord } from '../records/record-bodies';
import { Journal } from '../journal/journal';
import type { NewEntry } from '../journal/new-entry';
import { AffectedTypes } from '../users/user-type/affected-types.service';
import { permissionsChanged } from '../users/journal-entries';
import { lockForChange } from '../records/lock-for-change';

/** Deletes a permission. All its holders lose it, and their types are derived again. */
@Injectable()
export class DeletePermissionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly types: AffectedTypes,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `permission.unknown`, `record.changed`, `directory.last_administrator` */
  async execute(id: string, context: ChangeContext): Promise<void> {
    await this.transactions.run(async (manager) => {
      const target = { entity: Permission, id, lock: 'pessimistic_write', toBody: toPermissionRecord } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      const { key, description, grants } = found.record;
      await lockPlacesWith(manager, key);
      const holders = await this.types.lock(manager, holdersOf(key), judged);
      const lost = (holder: ChangedHolder) =>
        permissionsChanged({ ...holder, after: holder.before.filter((one) => one !== id) });
      const deleted: NewEntry = { action: 'permission.deleted', before: { permission: id, description, grants } };
      await this.journal.append(manager, judged, [deleted]);
      for await (const places of takeFromPlaces(manager, key)) {
        await this.journal.append(manager, judged, places.flatMap(lost));
      }
      await this.types.refresh(manager, holders, judged, async function* (part) {
        yield (await takeFromUsers(manager, key, part)).flatMap(lost);
      });
      await manager.delete(Permission, { key });
    });
  }
}
