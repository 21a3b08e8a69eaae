import { Injectable } from '@nestjs/common';

/** The highest type that a permission grants which the user holds: see `sql/derive_user_types.sql`. */
const DERIVE_USER_TYPES = 'SELECT key, type FROM derive_user_types($1)';

/**
 * The rule by which users get their types. Every transaction that can change a type asks it: assignments, unassignments, changes
 * of permissions and imports. An application that builds on this service can put its own rule in its place.
 *
 * @example
 * class StaffRule extends UserTypeRule {
 *   override readonly query = `
 *     SELECT key, CASE WHEN email LIKE '%@example.com' THEN 'manager' ELSE 'guest' END::user_type AS type
 *     FROM users WHERE key = ANY ($1)`;
 * }
 * await createApp(config, { userTypeRule: StaffRule });
 */
@Injectable()
export class UserTypeRule {
  /**
   * For the users with the keys in the array `$1`, one row each of `key` and `type` (a `user_type`). It runs once for all users
   * of a change, after they are locked and after what they hold has been written.
   */
  readonly query: string = DERIVE_USER_TYPES;
}

/** A rule as the functions of the database take it. Null is the rule of this service, whose plan they keep. */
export function ruleParameter({ query }: UserTypeRule): string | null {
  return query === DERIVE_USER_TYPES ? null : query;
}
