// The rule is `sql/derive_user_types.sql`.
import { Injectable } from '@nestjs/common';

/**
 * The rule that derives users' types: by default the highest type that any of the user's permissions grants.
 * `UserTypeService` lists the operations that apply it. An application can replace it with its own rule.
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
   * all users of a change, after they are locked and after the new permissions and memberships are written. Null is the
   * default rule, whose plan the SQL functions cache.
   */
  readonly query: string | null = null;
}
