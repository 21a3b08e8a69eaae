import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { UserStatus, UserType } from '../contract/directory';
import { lockAdministratorGuard, requireAnAdministrator } from '../directory/last-administrator.rule';
import type { LockedUsers } from '../directory/locked-users';

export interface TypeChange {
  userId: string;
  status: UserStatus;
  before: UserType;
  after: UserType;
}

/**
 * Keeps every user's type true. Whatever changes what users hold calls {@link refresh} in the same transaction, after the
 * change; an assignment does so inside the database.
 *
 * An application that builds on this service puts its own rule in place by a subclass with a {@link derivation} of its own:
 *
 * @example
 * class StaffTypeService extends UserTypeService {
 *   override readonly derivation = `
 *     SELECT key, CASE WHEN email LIKE '%@example.com' THEN 'manager' ELSE 'guest' END::user_type AS type
 *     FROM users WHERE key = ANY ($1)`;
 * }
 * await createApp(config, { userTypes: StaffTypeService });
 */
@Injectable()
export class UserTypeService {
  /**
   * The rule, as a query: for the users with the keys in the array `$1`, one row each of `key` and `type` (a `user_type`).
   * It runs after the users are locked, once for all of them, so that the number of statements never depends on theirs.
   *
   * Null: the rule of the database's function `derive_user_types`, which is the highest type that a permission grants which
   * the user holds directly, through a workspace or through a group.
   */
  readonly derivation: string | null = null;

  /**
   * Writes the type of each user whose type is no longer what the rule says. Where an administrator is demoted, this takes the
   * administrator guard, and judges the caller again, because it may have waited for it.
   *
   * @returns what changed
   * @throws ServiceError `status.last_administrator` when no active administrator would be left
   */
  async refresh(manager: EntityManager, users: LockedUsers, judged: Judged): Promise<TypeChange[]> {
    const changes = await this.recompute(manager, users);
    if (changes.some(({ before, status }) => before === 'administrator' && status === 'active')) {
      await lockAdministratorGuard(manager);
      await judgeCaller(manager, judged);
      await requireAnAdministrator(manager);
    }
    return changes;
  }

  /** As {@link refresh}, for who changes so many users that it takes several calls, and requires an administrator after the last. */
  recompute(manager: EntityManager, users: LockedUsers): Promise<TypeChange[]> {
    return manager.query(
      `SELECT user_id AS "userId", status, before, after FROM refresh_user_types($1, $2) ORDER BY user_id COLLATE "C"`,
      [users.keys, this.derivation],
    );
  }
}
