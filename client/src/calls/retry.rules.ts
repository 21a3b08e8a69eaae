import type { Failure } from './failure.ts';
import type { WireRequest } from './wire-request.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** If the service asks for a longer pause, the call fails instead. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Whether a request can be retried after this failure without making its change twice:
 *
 * - A request that changes nothing, or whose change was certainly not made, can.
 * - A POST with an `Idempotency-Key` can: the service makes the change once.
 * - A PATCH with `If-Match` can: after the change the record has another ETag, so the retry is refused. `*` matches every ETag.
 * - A DELETE can: a deleted record stays deleted, and the retry is answered 404.
 * - After `service.outcome_unknown`, only a request with a key can.
 */
export function mayBeSentAgain(request: WireRequest, failure: Failure): boolean {
  if (!failure.temporary) return false;
  if (!failure.mayBeDone || !request.changes || request.idempotencyKey !== undefined) return true;
  if (failure.code === 'service.outcome_unknown') return false;
  return request.method === 'DELETE' || (request.method === 'PATCH' && (request.ifMatch ?? '*').trim() !== '*');
}

/**
 * The pause before the next attempt, in milliseconds: exponential backoff with jitter, so that callers that failed together do not retry
 * together. The pause that the service asked for is added.
 *
 * @param count number of failed attempts, at least 1
 * @returns undefined if the service asks for more than a minute
 */
export function pauseBefore(count: number, askedMs: number | undefined, random = Math.random): number | undefined {
  const backOff = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1)) * (0.5 + random() / 2);
  if (askedMs === undefined) return backOff;
  return askedMs > MAX_RETRY_AFTER_MS ? undefined : askedMs + backOff;
}
