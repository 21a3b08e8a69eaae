import { LIMITS } from '../contract/limits';

/** The beginning of a name that a caller sent, for the sentence of its refusal. A code point has at most two units. */
export function shownName(name: string): string {
  return [...name.slice(0, 2 * LIMITS.shownName)].slice(0, LIMITS.shownName).join('');
}
