/** Code points. */
const MOST = 100;

/** The beginning of a name that a caller sent, for the sentence of its refusal. A code point has at most two units. */
export function shownName(name: string): string {
  return [...name.slice(0, 2 * MOST)].slice(0, MOST).join('');
}
