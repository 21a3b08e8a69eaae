import { Injectable } from '@nestjs/common';
import { requireMatch } from '../answers/etag';
import { judgeCaller } from '../auth/judge-caller';
import type { ChangeContext } from '../idempotency/change-context.decorator';
import { Transactions } from '../database/transactions';
import { lockRecord, requireRecord } from '../records/find-record';
import { placesOf } from '../directory/memberships';
import { toUserRecord } from '../records/record-bodies';
import { User } from '../directory/user.entity';
import { Journal } from '../journal/journal';
import { requireAdministratorLeft } from './require-administrator-left';

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
      const locked = await lockRecord(manager, User, id, 'pessimistic_write');
      const isAdministrator = locked?.record.type === 'administrator' && locked.record.status === 'active';
      const judged = await judgeCaller(manager, context);
      const found = requireRecord(User, locked);
      requireMatch(context.ifMatch, toUserRecord(found));

      const { permissions } = found;
      const { email, displayName, status, key } = found.record;
      const places = await placesOf(manager, key);
      await manager.delete(User, { key });
      // Only now, because the memberships can take long.
      if (isAdministrator) await requireAdministratorLeft(manager, judged, judged.actor.id === id);
      const before = { email, displayName, status, permissions, ...places };
      await this.journal.append(manager, judged, [
        { action: 'user.deleted', user: id, workspaces: places.workspaces, before },
      ]);
    });
  }
}
