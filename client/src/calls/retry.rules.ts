import type { Failure } from './failure.ts';
import type { WireRequest } from './wire-request.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** A service that asks for more is not waited for. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Whether a request may be sent again after this failure, so that nothing is done twice:
 *
 * - what changes nothing may always be sent again, and so may what was certainly not done;
 * - a POST may, under its `Idempotency-Key`: the service does it once;
 * - a PATCH may if it says `If-Match`: done once, the record has another ETag, and the second is refused;
 * - a DELETE may: what is gone stays gone, and the second is answered 404;
 * - without a key nothing may when the service itself says that the outcome is unknown.
 */
export function mayBeSentAgain(request: WireRequest, failure: Failure): boolean {
  if (!failure.temporary) return false;
  if (!failure.mayBeDone || !request.changes || request.idempotencyKey !== undefined) return true;
  if (failure.code === 'service.outcome_unknown') return false;
  return request.method === 'DELETE' || (request.method === 'PATCH' && request.ifMatch !== undefined);
}

/**
 * How long to wait before the next attempt: twice as long each time, drawn from the upper half, so that callers that failed
 * together do not come back together.
 *
 * @param count of the attempts that failed, 1 or more
 * @returns undefined when the service asks for more than a minute
 */
export function pauseBefore(count: number, askedMs: number | undefined, random = Math.random): number | undefined {
  const backOff = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1)) * (0.5 + random() / 2);
  if (askedMs === undefined) return backOff;
  return askedMs > MAX_RETRY_AFTER_MS ? undefined : askedMs + backOff;
}
