import type { EntityManager } from 'typeorm';
import { DryRunAnswer } from '../../contract/answers';
import { USER_TYPES } from '../../contract/directory';
import { LIMITS } from '../../contract/limits';
import { dryRun } from '@user-administration/postgres';
import type { Transactions } from '../../database/transactions';
import type { KeysQuery } from '../../directory/affected-users';
import type { LockedUsers } from '../../directory/locked-users';
import { inOrderOfBytes } from '../../directory/byte-order';
import type { TypeImpactDto, UserImpactDto } from '../../records/dry-run.dto';
import { tooLargeToRepresent } from '../id-lists.rules';
import type { TypeChange } from './user-type.service';

/** The ids of each kind that a dry run names. */
const FIRST = 10;

/**
 * Runs a change of one record in a transaction, and a dry run of it in one that it rolls back.
 *
 * @param work notes in the impact, if there is one, what happens to users
 * @returns what `work` returns, or the answer of the dry run
 */
export async function changeOrPreview<Body extends object | void>(
  transactions: Transactions,
  options: { dryRun?: boolean },
  work: (manager: EntityManager, impact?: UserImpact) => Promise<Body>,
): Promise<Body | DryRunAnswer> {
  if (!options.dryRun) return transactions.run((manager) => work(manager));
  return dryRun(transactions, async (manager) => {
    const impact = new UserImpact();
    const record = (await work(manager, impact)) ?? null;
    return new DryRunAnswer({ record, users: impact.result, ...impact.besides });
  });
}

/** Who of the users of a part holds other permissions or leaves a place, judged after the change. */
export type AffectedOf = (part: LockedUsers) => readonly string[] | Promise<readonly string[]>;

/** Counts the users that a dry run affects: those who hold other permissions, leave a place or get another type. */
export class UserImpact {
  /** What the result has besides the record and the users. */
  besides: object = {};
  private affected = 0;
  private readonly kinds = new Map<string, TypeImpactDto>();

  /**
   * Counts the users that the change will affect, before it locks or writes anything: the change of a million users
   * takes a minute.
   *
   * @param affected a query for them, or for more
   * @throws ServiceError `request.too_large_to_represent`
   */
  static async refuseTooMany(manager: EntityManager, { statement, parameters }: KeysQuery): Promise<void> {
    const [{ count }] = await manager.query<[{ count: number }]>(
      `SELECT count(*)::integer AS count FROM (
         SELECT FROM (${statement}) AS affected LIMIT ${LIMITS.representedMemberships + 1}
       ) AS counted`,
      parameters,
    );
    if (count > LIMITS.representedMemberships) throw tooLargeToRepresent();
  }

  /**
   * Adds users who have not been added before.
   *
   * @param affected all who are affected, by default those whose types change. The type of somebody else follows an end
   * that nothing has carried out yet
   * @throws ServiceError `request.too_large_to_represent`
   */
  add(types: readonly TypeChange[], affected: readonly string[] = types.map(({ userId }) => userId)): void {
    const ids = new Set(affected);
    this.affected += ids.size;
    if (this.affected > LIMITS.representedMemberships) throw tooLargeToRepresent();
    for (const { userId, before, after } of types) {
      if (!ids.has(userId)) continue;
      const kind = this.kinds.get(`${before} ${after}`) ?? { before, after, count: 0, first: [] };
      this.kinds.set(`${before} ${after}`, kind);
      kind.count++;
      kind.first.push(userId);
    }
    for (const kind of this.kinds.values()) kind.first = inOrderOfBytes(kind.first, (id) => id).slice(0, FIRST);
  }

  /** The kinds in order of the types, the lowest first. */
  get result(): UserImpactDto {
    const rank = ({ before, after }: TypeImpactDto) =>
      USER_TYPES.indexOf(before) * USER_TYPES.length + USER_TYPES.indexOf(after);
    return { affected: this.affected, types: [...this.kinds.values()].toSorted((a, b) => rank(a) - rank(b)) };
  }
}
