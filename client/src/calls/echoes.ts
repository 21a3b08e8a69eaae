/** The beginning of a part of a secret is as telling as the part. */
const TELLING = 16;
/** Shorter text can be a word. */
const MIN = 8;
/** As deep as an error is logged, and further. */
const DEPTH = 9;

/**
 * Whether something contains a secret or the beginning of one of its parts (those of a token stand between dots). Some servers answer an
 * error with the request that they have received, whole or cut off.
 */
export function echoes(secret: string, something: unknown): boolean {
  const parts = secret
    .split('.')
    .map((part) => part.slice(0, TELLING))
    .filter((part) => part.length >= MIN);
  return contains(something, (text) => parts.some((part) => text.includes(part)), DEPTH, new Set());
}

/** Looks at every text that a log could show: names and values of properties, also of those that are not enumerable, such as `cause`. */
function contains(value: unknown, tells: (text: string) => boolean, depth: number, seen: Set<unknown>): boolean {
  if (typeof value === 'string') return tells(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth < 0 || seen.has(value))
    return false;
  seen.add(value);
  // What they say is not always a property of their own.
  if ((value instanceof URL || value instanceof Error) && tells(String(value))) return true;
  const within = (inner: unknown) => contains(inner, tells, depth - 1, seen);
  const isCollection = value instanceof Map || value instanceof Set || value instanceof Headers;
  if (isCollection && Array.from<unknown>(value).some(within)) return true;
  return Object.entries(Object.getOwnPropertyDescriptors(value)).some(
    ([name, { value: inner }]) => tells(name) || within(inner),
  );
}
