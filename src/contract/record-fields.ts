import { USER_STATUSES, USER_TYPES } from './directory';
import { isStorableText } from './identifiers';
import { LIMITS } from './limits';

/** What the fields of a record may hold. Routes and imports share these rules. Lengths count code points. */

/** What the service writes by itself. A new user can come with a status. */
export const DERIVED_FIELDS = ['type', 'status', 'createdAt', 'updatedAt'] as const;

/** What a change of a record cannot change: ids are for good, and places have operations of their own. */
export const FIXED_FIELDS = ['id', 'workspaces', 'groups'] as const;

export function isName(value: unknown): value is string {
  return isTextOf(value, 1, LIMITS.name);
}

export function isEmail(value: unknown): value is string {
  return isTextOf(value, LIMITS.emailAtLeast, LIMITS.email) && /^\P{Cc}+@\P{Cc}+$/u.test(value);
}

export function isDescription(value: unknown): value is string {
  return isTextOf(value, 0, LIMITS.description);
}

export function isUserStatus(value: unknown): boolean {
  return USER_STATUSES.some((status) => status === value);
}

export function isUserType(value: unknown): boolean {
  return USER_TYPES.some((type) => type === value);
}

/** A code point is one or two units long, so most texts need no counting. */
function isTextOf(value: unknown, atLeast: number, atMost: number): value is string {
  if (!isStorableText(value) || value.length < atLeast || value.length > 2 * atMost) return false;
  if (value.length <= atMost && value.length >= 2 * atLeast) return true;
  const { length } = [...value];
  return length >= atLeast && length <= atMost;
}
