import type { Attribution } from '../contract/attribution';
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { isTextOf } from '../contract/record-fields';

/** The reason for a change, for the journal. It is always optional: missing and null mean none. */
export function isReason(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || isTextOf(value, 1, LIMITS.reason);
}

/** The refusal of a reason, which every operation judges last. */
export function reasonRefusal(reason: unknown): ServiceError | undefined {
  if (isReason(reason)) return undefined;
  return new ServiceError('reason.invalid', { args: { max: LIMITS.reason }, errors: [{ pointer: '/reason' }] });
}

/** The reason to record: the one in the body or, in the process, that of the context. */
export function reasonOf({ reason }: { reason?: unknown }, context: Attribution): string | undefined {
  return typeof reason === 'string' ? reason : context.reason;
}
