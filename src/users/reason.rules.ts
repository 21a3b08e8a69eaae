import type { Attribution } from '../contract/attribution';
import { LIMITS } from '../contract/limits';
import { isTextOf } from '../contract/record-fields';

/** The reason for a change, for the journal. It is always optional: missing and null mean none. */
export function isReason(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || isTextOf(value, 1, LIMITS.reason);
}

/** The reason to record: the one in the body or, in the process, that of the context. */
export function reasonOf({ reason }: { reason?: string | null }, context: Attribution): string | undefined {
  return reason ?? context.reason;
}
