import { inspect } from 'node:util';

/** The beginning of a part of a secret is as telling as the part. */
const TELLING = 16;
/** Shorter text can be a word. */
const MIN = 8;

/**
 * Whether something contains a secret or the beginning of one of its parts (those of a token stand between dots). Some servers answer an
 * error with the request that they have received, whole or cut off.
 */
export function echoes(secret: string, something: unknown): boolean {
  const text = inspect(something, { depth: 9, maxStringLength: null, maxArrayLength: null });
  const parts = secret.split('.').map((part) => part.slice(0, TELLING));
  return parts.some((part) => part.length >= MIN && text.includes(part));
}
