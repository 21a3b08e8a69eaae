import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from './directory';
import { isStorableText } from './identifiers';
import { LIMITS } from './limits';

/** The rules for the values of fields. Routes and files share them. Lengths count code points. */

export function isName(value: unknown): value is string {
  return isTextOf(value, 1, LIMITS.name);
}

/**
 * Whether a value, in {@link toEmail}'s form, is an email: one `@` between texts, without white space, control and
 * format characters.
 */
export function isEmail(value: unknown): value is string {
  if (!isStorableText(value) || value.length > LONGEST_EMAIL) return false;
  const email = toEmail(value);
  return isTextOf(email, LIMITS.emailAtLeast, LIMITS.email) && EMAIL.test(email) && !/^mailto:/i.test(email);
}

/** An email as it is stored, in NFC: equal addresses are equal text. */
export function toEmail(given: string): string {
  return given.normalize('NFC');
}

const EMAIL = /^[^@\p{Z}\p{Cc}\p{Cf}]+@[^@\p{Z}\p{Cc}\p{Cf}]+$/u;

/**
 * UTF-16 units of the longest text that can be an email: NFC makes one character of at most four, and each has at most
 * two units.
 */
const LONGEST_EMAIL = 8 * LIMITS.email;

/** The words of a search that count, in order: none if the text is blank. */
export function searchWords(text: string): string[] {
  const words = text.split(/\p{White_Space}+/u).filter((word) => searchLength(word) > 0);
  return words.slice(0, LIMITS.searchWords);
}

/** Code points of a search, without accents: what the database compares. */
export function searchLength(text: string): number {
  const plain = text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  return [...plain.normalize('NFC')].length;
}

export function isUserStatus(value: unknown): value is UserStatus {
  return USER_STATUSES.some((status) => status === value);
}

export function isUserType(value: unknown): value is UserType {
  return USER_TYPES.some((type) => type === value);
}

/** The reason for a change, for the journal. It is always optional: missing and null mean none. */
export function isReason(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || isTextOf(value, 1, LIMITS.reason);
}

/** A code point is one or two units long, so most texts need no counting. */
export function isTextOf(value: unknown, atLeast: number, atMost: number): value is string {
  if (!isStorableText(value) || value.length < atLeast || value.length > 2 * atMost) return false;
  if (value.length <= atMost && value.length >= 2 * atLeast) return true;
  const { length } = [...value];
  return length >= atLeast && length <= atMost;
}
