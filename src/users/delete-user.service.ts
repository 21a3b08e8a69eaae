import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requirePreconditions } from '../answers/etag';
import type { ChangeContext } from '../auth/change-context';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { Statements } from '@user-administration/postgres';
import { Transactions } from '../database/transactions';
import { placesOf } from '../directory/memberships';
import { User } from '../directory/user.entity';
import { Journal } from '../journal/journal';
import { sealJournal } from '../journal/seal-journal';
import { type FoundRecord, lockRecord } from '../records/find-record';
import { toUserRecord } from '../records/record-bodies';
import type { DryRunAnswer } from '../contract/answers';
import { changeOrPreview } from './user-type/user-impact';
import type { Erasure } from './dto/delete-user.dto';
import { requireAdministratorLeft } from '../auth/last-administrator';
import { userDeleted, userFacts } from './user-facts';

/** Whether somebody who was deleted ever bore the id. Who was erased before counts. */
const IS_FORMER = `SELECT EXISTS (
  SELECT FROM (
    SELECT action, user_key FROM journal_changes
    WHERE user_id = $1 AND action IN ('user.deleted', 'user.renamed', 'user.erased')
    UNION ALL
    SELECT action, keys[1] FROM journal_inbox CROSS JOIN LATERAL unnest(changes, user_keys)
      AS change (action, user_ids, workspace_ids, before, after, keys)
    WHERE $1 = ANY (user_ids) AND action IN ('user.deleted', 'user.renamed', 'user.erased')
  ) AS entry
  WHERE action = 'user.erased' OR NOT EXISTS (SELECT FROM users WHERE key = user_key)
) AS "isFormer"`;

/** Up to the erasure: a new user with this id is somebody else. */
const ERASE = `SELECT erase_personal($1, (
  SELECT max(position) FROM journal_changes WHERE user_id = $1 AND action = 'user.erased'
))`;

/**
 * Deletes a user with memberships and permissions. The journal keeps its entries about the user; an erasure takes the
 * personal facts out of them: the email and display name, and the reasons of all requests that concerned the user.
 */
@Injectable()
export class DeleteUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: Statements,
    private readonly journal: Journal,
  ) {}

  /**
   * @param erase also everybody who ever bore the id and lives under no other; `former` spares who bears it now. If an
   * erasure is
   *   interrupted, a repetition completes it
   * @throws ServiceError `user.unknown`, `record.changed`, `directory.last_administrator`
   */
  async execute(
    id: string,
    context: ChangeContext,
    { erase = false, dryRun }: { erase?: Erasure; dryRun?: boolean } = {},
  ): Promise<void | DryRunAnswer> {
    if (!erase) return this.remove(id, context, erase, dryRun);
    await this.remove(id, context, erase);
    await sealJournal(this.statements);
    // Two of them can meet in the entries of a request that concerned both users: then one is done again.
    await this.transactions.call((sender) => sender.query(ERASE, [id]));
  }

  private async remove(
    id: string,
    context: ChangeContext,
    erase: Erasure,
    dryRun = false,
  ): Promise<void | DryRunAnswer> {
    return changeOrPreview(this.transactions, { dryRun }, async (manager, impact) => {
      const locked = await lockRecord(manager, User, id, 'pessimistic_write');
      const judged = await judgeCaller(manager, context);
      const deleted = erase === 'former' ? undefined : locked;
      if (!deleted && !(erase && (await isFormer(manager, id)))) throw new ServiceError('user.unknown');
      if (locked) requirePreconditions(context, toUserRecord(locked));
      if (deleted && impact) impact.add([], (await isAnywhere(manager, deleted)) ? [id] : []);
      if (deleted) await this.applyWithin(manager, erase ? { ...judged, reason: undefined } : judged, deleted);
      // The reason stands in this entry alone: it stays until a later erasure.
      if (erase) await this.journal.append(manager, judged, [{ action: 'user.erased', user: id }]);
    });
  }

  /**
   * The inner half: deletes a user, locked exclusively, in the transaction of a larger change.
   *
   * @throws ServiceError `directory.last_administrator`
   */
  async applyWithin(manager: EntityManager, judged: Judged, found: FoundRecord<User>): Promise<void> {
    const { id, type, status, key } = found.record;
    const facts = userFacts(found.record, { permissions: found.permissions, ...(await placesOf(manager, key)) });
    // Before the key is gone.
    await this.journal.append(manager, judged, [userDeleted(id, facts)]);
    await manager.delete(User, { key });
    // As late as possible, because this locks the administrator guard, and deleting the memberships can take long.
    if (type === 'administrator' && status === 'active')
      await requireAdministratorLeft(manager, judged, judged.actor.id === id);
  }
}

/** Whether a user is in a place or holds a permission. What has ended counts no more. */
async function isAnywhere(manager: EntityManager, { record, permissions }: FoundRecord<User>): Promise<boolean> {
  if (permissions.length > 0) return true;
  // A user in a group is in its workspace, which ends no earlier.
  const [{ isIn }] = await manager.query<[{ isIn: boolean }]>(
    `SELECT EXISTS (
       SELECT FROM workspace_memberships WHERE user_key = $1 AND NOT has_ended(ends_at, end_refused_at)
     ) AS "isIn"`,
    [record.key],
  );
  return isIn;
}

async function isFormer(manager: EntityManager, id: string): Promise<boolean> {
  if (!isIdentifier(id)) return false;
  const [row] = await manager.query<[{ isFormer: boolean }]>(IS_FORMER, [id]);
  return row.isFormer;
}
