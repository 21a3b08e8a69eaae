import { Injectable } from '@nestjs/common';

/** The highest type that any of the user's permissions grants: see `sql/derive_user_types.sql`. */
const DERIVE_USER_TYPES = 'SELECT key, type FROM derive_user_types($1)';

/**
 * The rule that derives users' types. Every transaction that can change a type uses it: assignments, unassignments,
 * changes of permissions and imports. An application can replace it with its own rule.
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
   * Returns one row of `key` and `type` (a `user_type`) for each user whose key is in the array `$1`. It runs once for
   * all users of a change, after they are locked and after the new permissions and memberships are written.
   */
  readonly query: string = DERIVE_USER_TYPES;
}

/** A rule as the SQL functions take it. Null is the default rule, whose plan they cache. */
export function ruleParameter({ query }: UserTypeRule): string | null {
  return query === DERIVE_USER_TYPES ? null : query;
}
