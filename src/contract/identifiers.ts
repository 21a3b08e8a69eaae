import { LIMITS } from './limits';

/** Whether a value is text that PostgreSQL can store: free of NUL and of lone surrogates. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

/**
 * Whether a value can be the id of any record: storable text of 1 to 255 code points. Anything else is an unknown id,
 * never a failure of ours, and must not reach SQL.
 */
export function isIdentifier(value: unknown): value is string {
  return (
    isStorableText(value) &&
    value.length > 0 &&
    value.length <= 2 * LIMITS.identifier &&
    (value.length <= LIMITS.identifier || [...value].length <= LIMITS.identifier)
  );
}

/** Names of operations below `/api/users`: no URL reaches a user with one of these ids. */
export const USER_OPERATIONS: readonly string[] = [
  'workspace-assign',
  'workspace-unassign',
  'manage-status',
  'status-assign',
  'status-tokens',
];

/** What {@link isNewIdentifier} demands of the ends of an id, as the predicate of a sentence. */
export const NEW_ID_RULE = 'neither begins nor ends with white space or an invisible character, and is not . or ..';

/**
 * Whether a record can get this id. Two ids that differ only in such characters look equal, and no URL reaches `.` and
 * `..`. A record that already has such an id keeps it.
 */
export function isNewIdentifier(value: unknown): value is string {
  return isIdentifier(value) && value !== '.' && value !== '..' && !INVISIBLE_END.test(value);
}

/** As {@link isNewIdentifier}, for a user. */
export function isNewUserId(value: unknown): value is string {
  return isNewIdentifier(value) && !USER_OPERATIONS.includes(value);
}

/** A character that nobody sees, as a class of a pattern with the flag `u`. */
export const INVISIBLE = String.raw`[\p{White_Space}\u00ad\u200b-\u200f\u2060\ufeff]`;
const INVISIBLE_END = new RegExp(`^${INVISIBLE}|${INVISIBLE}$`, 'u');
