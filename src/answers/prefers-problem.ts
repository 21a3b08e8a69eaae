import Negotiator from 'negotiator';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/** `charset=utf-8` and the like say nothing about a type that is always UTF-8; a weight stays. */
const PARAMETER = /;[ \t]*(?!q[ \t]*=)[^;,]*/gi;

/**
 * Whether a caller wants a refusal as a problem document (RFC 9457), by the weights of `Accept` (RFC 9110 section 12.5.1). Who
 * names both types alike is told of success by the one and of failure by the other; who names neither has not asked for it.
 *
 * @example prefersProblem('application/json, application/problem+json'); // true
 * @example prefersProblem('*' + '/*'); // false
 */
export function prefersProblem(accept: string | undefined): boolean {
  const ranges = accept?.replace(PARAMETER, '').split(',') ?? [];
  // Of two types with one weight, the first wins: so problem documents win in one of the two orders.
  return [ranges, ranges.toReversed()].some((some) => best(some.join()) === PROBLEM_TYPE);
}

function best(accept: string): string | undefined {
  return new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, PROBLEM_TYPE]);
}
