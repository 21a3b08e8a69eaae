import type { EntityManager } from 'typeorm';
import type { Attribution } from '../contract/attribution';
import { isIdentifier } from '../contract/identifiers';
import { prepared, type Queryable } from '@user-administration/postgres';

declare const JUDGED: unique symbol;

/**
 * The author of a change, judged in its transaction. The journal accepts nothing else, so a change that does not judge
 * its caller does not compile.
 */
export type Judged = Attribution & {
  readonly [JUDGED]: true;
  /** Who would stay an administrator in the end, before the writes of the transaction: see `require_administrator`. */
  readonly keptAdministrator: string | null;
};

/** What a {@link Judged} knows besides the attribution, as columns of a query before the first write. */
export const JUDGED_FACTS = `kept_administrator('infinity') AS "keptAdministrator"`;

const JUDGE_CALLER = prepared('judge_caller', `SELECT judge_caller($1, $2), ${JUDGED_FACTS}`);

/**
 * Judges the caller again, whom `callers.ts` has judged at the beginning of the request: an administrator can be
 * deactivated or demoted while the body of the request arrives, or while the change waits for a lock. Call this after
 * the locks and before the first write.
 *
 * @throws what the database raises, which `Transactions` turns into `auth.token_invalid` or
 * `auth.administrator_required`
 */
export async function judgeCaller(transaction: Queryable, attribution: Attribution): Promise<Judged> {
  const { kind, id } = attribution.actor;
  // No record has another id.
  const actor = isIdentifier(id) ? [kind, id] : ['system', ''];
  const [{ keptAdministrator }] = await transaction.query<[Pick<Judged, 'keptAdministrator'>]>(JUDGE_CALLER, actor);
  return { ...attribution, keptAdministrator } as Judged;
}

/**
 * Does a write that can wait for another transaction with the same id or email, and judges the caller again, whether or
 * not the write succeeds. The savepoint keeps the transaction usable after a failure.
 *
 * @throws the refusal of the caller, or else the failure of the write
 */
export async function writeAndJudge<T>(
  manager: EntityManager,
  judged: Judged,
  write: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await manager.transaction(write);
  } finally {
    await judgeCaller(manager, judged);
  }
}
