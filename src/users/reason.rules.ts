import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { isReason } from '../contract/record-fields';

/** The refusal of a reason, which every operation judges last. */
export function reasonRefusal(reason: unknown): ServiceError | undefined {
  if (isReason(reason)) return undefined;
  return new ServiceError('reason.invalid', { args: { max: LIMITS.reason }, errors: [{ pointer: '/reason' }] });
}
