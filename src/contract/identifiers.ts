import { LIMITS } from './limits';

/** Whether a value is text that PostgreSQL can store: free of NUL and of lone surrogates. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

/**
 * Whether a value can be the id of any record: storable text of 1 to 255 code points. Anything else is an unknown id, never a failure of ours, and must not reach SQL.
 */
export function isIdentifier(value: unknown): value is string {
  return (
    isStorableText(value) &&
    value.length > 0 &&
    value.length <= 2 * LIMITS.identifier &&
    (value.length <= LIMITS.identifier || [...value].length <= LIMITS.identifier)
  );
}
