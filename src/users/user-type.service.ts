import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { UserStatus, UserType } from '../contract/directory';
import { LIMITS } from '../contract/limits';
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
 * Keeps every user's type what the {@link UserTypeRule} says. Whatever changes what users hold calls {@link refresh} in the same
 * transaction, after the change. An assignment does the same in the database's function `assign_users`.
 */
@Injectable()
export class UserTypeService {
  constructor(private readonly rule: UserTypeRule) {}

  /**
   * Writes the type of each user whose type is no longer what the rule says. Where an administrator is demoted, this takes the
   * administrator guard, and judges the caller again, because it may have waited for it.
   *
   * @returns what changed
   * @throws ServiceError `directory.last_administrator` when no active administrator would be left
   */
  async refresh(manager: EntityManager, users: LockedUsers, judged: Judged): Promise<TypeChange[]> {
    const changes = await this.recompute(manager, users);
    if (changes.some(isDemotion)) {
      await lockAdministratorGuard(manager);
      // A caller whose record is among these was judged under its lock, and may well give away what makes an administrator.
      if (!users.has(judged.actor.id)) await judgeCaller(manager, judged);
      await requireAnAdministrator(manager);
    }
    return changes;
  }

  /**
   * As {@link refresh}, for a change that refreshes its users in parts. It must require an administrator itself, after the last.
   * A workspace can have a million members, so this sends one statement for every {@link PART} users: none comes near the
   * bound on the time of a statement.
   */
  async recompute(manager: EntityManager, users: LockedUsers): Promise<TypeChange[]> {
    const { keys } = users;
    const changes: TypeChange[] = [];
    for (let start = 0; start < keys.length; start += PART) {
      const part: TypeChange[] = await manager.query(
        `SELECT user_id AS "userId", status, before, after FROM refresh_user_types($1, $2) ORDER BY user_id COLLATE "C"`,
        [keys.slice(start, start + PART), ruleParameter(this.rule)],
      );
      for (const change of part) changes.push(change);
    }
    return changes;
  }
}

/** Whether an active administrator is one no longer. */
export function isDemotion({ before, status }: TypeChange): boolean {
  return before === 'administrator' && status === 'active';
}

/** As many users as one assignment may name. */
const PART = LIMITS.users;
