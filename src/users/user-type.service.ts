import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Judged } from '../auth/judge-caller';
import type { UserStatus, UserType } from '../contract/directory';
import type { LockedUsers } from '../directory/locked-users';
import { requireAdministratorLeft } from './last-administrator.rule';
import { ruleParameter, UserTypeRule } from './user-type.rule';

export interface TypeChange {
  userId: string;
  status: UserStatus;
  before: UserType;
  after: UserType;
}

/**
 * Keeps every user's type equal to the result of the {@link UserTypeRule}. Every change of permissions or memberships
 * calls {@link refresh} in the same transaction, after the change. Assignments and unassignments do the same in their
 * SQL functions.
 */
@Injectable()
export class UserTypeService {
  constructor(private readonly rule: UserTypeRule) {}

  /**
   * Writes the type of each user whose type differs from the rule.
   *
   * @returns the changes
   * @throws ServiceError `directory.last_administrator` if no active administrator would be left
   */
  async refresh(manager: EntityManager, users: LockedUsers, judged: Judged): Promise<TypeChange[]> {
    const changes = await this.recompute(manager, users);
    if (changes.some(isDemotion)) await requireAdministratorLeft(manager, judged, users.has(judged.actor.id));
    return changes;
  }

  /** The rule as the SQL functions take it. */
  get ruleParameter(): string | null {
    return ruleParameter(this.rule);
  }

  /**
   * As {@link refresh}, for a change that refreshes its users in parts of at most 10,000, so that each statement stays far
   * below the statement timeout. After the last part, the caller of this method must require an administrator.
   */
  recompute(manager: EntityManager, users: LockedUsers): Promise<TypeChange[]> {
    return manager.query(
      `SELECT user_id AS "userId", status, before, after FROM refresh_user_types($1, $2) ORDER BY user_id COLLATE "C"`,
      [users.keys, this.ruleParameter],
    );
  }
}

/** Whether an active administrator has lost the type. */
export function isDemotion({ before, status }: TypeChange): boolean {
  return before === 'administrator' && status === 'active';
}
