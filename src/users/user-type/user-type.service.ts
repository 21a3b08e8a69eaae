import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Judged } from '../../auth/judge-caller';
import type { UserStatus, UserType } from '../../contract/directory';
import type { LockedUsers } from '../../directory/locked-users';
import { requireAdministratorLeft } from '../../auth/last-administrator';
import { UserTypeRule } from './user-type-rule';

export interface TypeChange {
  userId: string;
  status: UserStatus;
  before: UserType;
  after: UserType;
}

/**
 * Keeps every user's type equal to the result of the {@link UserTypeRule}, in the transaction of each change that can
 * alter it. What changes permissions or memberships must be on one of these lists; a test compares them with the
 * sources and the database.
 *
 * In TypeScript, for one user: `users/create-user`, `users/change-user`. For all whom a change affects, through {@link
 * AffectedTypes}: `users/change-permissions`, `workspaces/change-place`, `workspaces/delete-place`,
 * `permissions/change-permission`, `permissions/delete-permission`.
 *
 * In SQL: `assign_users` (through `raise_member_types`, with an application's own rule `refresh_member_types`),
 * `unassign_users` and `undo_request` (through `refresh_member_types`), `carry_out_ends` and `import_types` (through
 * `retype_members`). One function writes types: `set_user_types`.
 */
@Injectable()
export class UserTypeService {
  constructor(readonly rule: UserTypeRule) {}

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

  /**
   * As {@link refresh}, for a change that refreshes its users in parts of at most 10,000, so that each statement stays
   * far below the statement timeout. After the last part, the caller of this method must require an administrator.
   */
  recompute(manager: EntityManager, users: Pick<LockedUsers, 'keys'>): Promise<TypeChange[]> {
    return manager.query(
      `SELECT users.id AS "userId", users.status, change.before ->> 'type' AS before, change.after ->> 'type' AS after
       FROM retype_members($1, $2) AS retyped CROSS JOIN unnest(retyped.types) AS change
         CROSS JOIN unnest(change.user_ids) AS changed (id) JOIN users USING (id)
       ORDER BY users.id`,
      [users.keys, this.rule.query],
    );
  }
}

/** Whether an active administrator has lost the type. */
export function isDemotion({ before, status }: TypeChange): boolean {
  return before === 'administrator' && status === 'active';
}
