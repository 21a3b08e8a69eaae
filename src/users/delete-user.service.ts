import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requirePreconditions } from '../answers/etag';
import type { ChangeContext } from '../auth/change-context';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import { isIdentifier } from '../contract/identifiers';
import { Statements } from '../database/statements';
import { Transactions } from '../database/transactions';
import { placesOf } from '../directory/memberships';
import { User } from '../directory/user.entity';
import { Journal } from '../journal/journal';
import type { NewEntry } from '../journal/new-entry';
import { sealJournal } from '../journal/seal-journal';
import { type FoundRecord, lockRecord, requireRecord } from '../records/find-record';
import { toUserRecord } from '../records/record-bodies';
import { requireAdministratorLeft } from './last-administrator.rule';
import { userDeleted, userFacts } from './user-facts';

/** Whether the journal says that a user with this id was deleted or erased, sealed or not. Who has got another id lives on. */
const IS_RECORDED = `SELECT EXISTS (SELECT FROM journal_changes WHERE user_id = $1 AND action IN ('user.deleted', 'user.erased'))
  OR EXISTS (
    SELECT FROM journal_inbox CROSS JOIN LATERAL unnest(changes)
    WHERE $1 = ANY (user_ids) AND action IN ('user.deleted', 'user.erased')
  ) AS "isRecorded"`;

/** Up to the erasure: a new user with this id is somebody else. */
const ERASE = `SELECT erase_personal($1, (
  SELECT max(position) FROM journal_changes WHERE user_id = $1 AND action = 'user.erased'
))`;

/**
 * Deletes a user with memberships and permissions. The journal keeps its entries about the user; an erasure takes the personal facts out
 * of them: the email and display name, and the reasons of all requests that concerned the user.
 */
@Injectable()
export class DeleteUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: Statements,
    private readonly journal: Journal,
  ) {}

  /**
   * @param erase then the user may have been deleted before. If an erasure is interrupted, a repetition completes it
   * @throws ServiceError `user.unknown`, `record.changed`, `directory.last_administrator`
   */
  async execute(id: string, context: ChangeContext, { erase = false }: { erase?: boolean } = {}): Promise<void> {
    await this.transactions.run(async (manager) => {
      const locked = await lockRecord(manager, User, id, 'pessimistic_write');
      const judged = await judgeCaller(manager, context);
      const isGone = !locked && erase && (await isRecorded(manager, id));
      const deleted = isGone ? [] : [await this.delete(manager, requireRecord(User, locked), judged, context)];
      const erased: NewEntry[] = erase ? [{ action: 'user.erased', user: id }] : [];
      await this.journal.append(manager, judged, [...deleted, ...erased]);
    });
    if (!erase) return;
    await sealJournal(this.statements);
    // Two of them can meet in the entries of a request that concerned both users: then one is done again.
    await this.transactions.call((sender) => sender.query(ERASE, [id]));
  }

  private async delete(
    manager: EntityManager,
    found: FoundRecord<User>,
    judged: Judged,
    context: ChangeContext,
  ): Promise<NewEntry> {
    requirePreconditions(context, toUserRecord(found));
    const { id, type, status, key } = found.record;
    const places = await placesOf(manager, key);
    await manager.delete(User, { key });
    // As late as possible, because this locks the administrator guard, and deleting the memberships can take long.
    if (type === 'administrator' && status === 'active')
      await requireAdministratorLeft(manager, judged, judged.actor.id === id);
    return userDeleted(id, userFacts(found.record, { permissions: found.permissions, ...places }));
  }
}

async function isRecorded(manager: EntityManager, id: string): Promise<boolean> {
  if (!isIdentifier(id)) return false;
  const [row] = await manager.query<[{ isRecorded: boolean }]>(IS_RECORDED, [id]);
  return row.isRecorded;
}
