import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { placesOf } from '../directory/memberships';
import { toUserRecord } from '../records/record-bodies';
import { User } from '../directory/user.entity';
import { Journal } from '../journal/journal';
import { lockForChange } from '../records/lock-for-change';
import { requireAdministratorLeft } from './last-administrator.rule';

/** Deletes a user with memberships and permissions. The journal keeps its entries about the user. */
@Injectable()
export class DeleteUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `user.unknown`, `record.changed`, `directory.last_administrator` */
  async execute(id: string, context: ChangeContext): Promise<void> {
    await this.transactions.run(async (manager) => {
      const target = { entity: User, id, lock: 'pessimistic_write', toBody: toUserRecord } as const;
      const { found, judged } = await lockForChange(manager, context, target);
      const { email, displayName, type, status, key } = found.record;
      const places = await placesOf(manager, key);
      await manager.delete(User, { key });
      // As late as possible, because this locks the administrator guard, and deleting the memberships can take long.
      if (type === 'administrator' && status === 'active')
        await requireAdministratorLeft(manager, judged, judged.actor.id === id);
      const before = { email, displayName, status, permissions: found.permissions, ...places };
      await this.journal.append(manager, judged, [
        { action: 'user.deleted', user: id, workspaces: places.workspaces, before },
      ]);
    });
  }
}
