import Negotiator from 'negotiator';
import { elementsOf } from './header-elements';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/** A parameter such as `charset=utf-8` has no effect, because the type is always UTF-8. A weight is kept. */
const PARAMETER = /;(?![ \t]*q[ \t]*=)[^;,]*/gi;

/**
 * Whether a caller wants a refusal as a problem document (RFC 9457), by the weights of `Accept` (RFC 9110 section
 * 12.5.1). A caller that gives both types the same weight gets JSON for success and problem documents for failure. A
 * caller that names neither has not asked for it.
 *
 * @example prefersProblem('application/json, application/problem+json'); // true
 * @example prefersProblem('*' + '/*'); // false
 */
export function prefersProblem(accept: string | undefined): boolean {
  const ranges = elementsOf(accept ?? '').map((range) => range.replace(PARAMETER, ''));
  // If two types have the same weight, the first one wins, so problem documents win in one of the two orders.
  return [ranges, ranges.toReversed()].some((some) => best(some.join()) === PROBLEM_TYPE);
}

function best(accept: string): string | undefined {
  return new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, PROBLEM_TYPE]);
}
