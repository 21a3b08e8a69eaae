import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { UserStatus, UserType } from '../contract/directory';
import { lockAdministratorGuard, requireAnAdministrator } from '../directory/last-administrator.rule';
import type { LockedUsers } from '../directory/locked-users';
import { ruleParameter, UserTypeRule } from './user-type.rule';

export interface TypeChange {
  userId: string;
  status: UserStatus;
  before: UserType;
  after: UserType;
}

/**
 * Keeps every user's type equal to the result of the {@link UserTypeRule}. Every change of permissions or memberships
 * calls {@link refresh} in the same transaction, after the change. An assignment does the same in the SQL function
 * `assign_users`.
 */
@Injectable()
export class UserTypeService {
  constructor(private readonly rule: UserTypeRule) {}

  /**
   * Writes the type of each user whose type differs from the rule. If an administrator is demoted, it locks the
   * administrator guard, and judges the caller again, because the lock may have taken time.
   *
   * @returns the changes
   * @throws ServiceError `directory.last_administrator` if no active administrator would be left
   */
  async refresh(manager: EntityManager, users: LockedUsers, judged: Judged): Promise<TypeChange[]> {
    const changes = await this.recompute(manager, users);
    if (changes.some(isDemotion)) {
      await lockAdministratorGuard(manager);
      // A caller among these users was judged under lock, and may give up the caller's own authority.
      if (!users.has(judged.actor.id)) await judgeCaller(manager, judged);
      await requireAnAdministrator(manager);
    }
    return changes;
  }

  /**
   * As {@link refresh}, for a change that refreshes its users in parts of at most 10,000, so that each statement stays far
   * below the statement timeout. After the last part, the caller of this method must require an administrator.
   */
  recompute(manager: EntityManager, users: LockedUsers): Promise<TypeChange[]> {
    return manager.query(
      `SELECT user_id AS "userId", status, before, after FROM refresh_user_types($1, $2) ORDER BY user_id COLLATE "C"`,
      [users.keys, ruleParameter(this.rule)],
    );
  }
}

/** Whether an active administrator has lost the type. */
export function isDemotion({ before, status }: TypeChange): boolean {
  return before === 'administrator' && status === 'active';
}
