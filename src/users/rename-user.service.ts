import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ChangeContext, withReason } from '../auth/change-context';
import { type Judged, writeAndJudge } from '../auth/judge-caller';
import { ServiceError } from '../contract/errors';
import { isNewUserId } from '../contract/identifiers';
import { Transactions } from '../database/transactions';
import { waitToRename } from '../directory/rename-lock';
import { User } from '../directory/user.entity';
import { Journal } from '../journal/journal';
import { findRecord } from '../records/find-record';
import { lockForChange } from '../records/lock-for-change';
import { toUserRecord } from '../records/record-bodies';
import type { RenameUserDto } from './dto/rename-user.dto';
import type { UserRecordDto } from './dto/user.dto';
import { userRenamed } from './user-facts';

/**
 * `id_since` grows even if the clock does not, so that status tokens for the user, and those that the user made, are
 * void.
 */
const RENAME = `
  UPDATE users SET id = $2, id_since = GREATEST(clock_timestamp(), id_since + interval '1 ms'), updated_at =
    GREATEST(now(), updated_at)
  WHERE key = $1`;

/**
 * Gives a user another id. Everything that belongs to the user refers to the key of the record, so it stays. The
 * journal keeps in each entry the id of its time, and the key.
 */
@Injectable()
export class RenameUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `user.unknown`, `record.changed`, `record.id_taken`, `field.invalid` */
  async execute(id: string, request: RenameUserDto, context: ChangeContext): Promise<UserRecordDto> {
    if (request.id !== id && !isNewUserId(request.id))
      throw new ServiceError('field.invalid', { args: { field: 'id' }, errors: [{ pointer: '/id' }] });
    const attribution = withReason(context, request);
    return this.transactions.run(async (manager) => {
      await waitToRename(manager);
      // Exclusive, so that whoever waits for the id finds that it is gone.
      const target = { entity: User, id, lock: 'pessimistic_write', toBody: toUserRecord } as const;
      const { found, judged } = await lockForChange(manager, attribution, target);
      if (request.id === id) return toUserRecord(found);
      await this.applyWithin(manager, judged, found.record, request.id, context.callerKey);
      return toUserRecord(await findRecord(manager, User, request.id));
    }, context.unit);
  }

  /**
   * The inner half: renames a user, locked exclusively, in the transaction of a larger change that has called
   * `waitToRename`.
   *
   * @throws ServiceError `record.id_taken`, after the transaction
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    { key, id }: Pick<User, 'key' | 'id'>,
    newId: string,
    callerKey?: string,
  ): Promise<void> {
    await manager.query('SELECT settle_kept_administrator($1)', [key]);
    const write = (within: EntityManager) => within.query(RENAME, [key, newId]);
    // Callers who rename themselves were judged under lock, and have no record with their id any more.
    await (callerKey === key ? write(manager) : writeAndJudge(manager, judged, write));
    await this.journal.append(manager, judged, [userRenamed(id, newId)]);
  }
}
