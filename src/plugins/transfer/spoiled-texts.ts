import type { CheckedRecord } from './directory-record.rules';
import { quote } from './import-error';

/** How to keep a spreadsheet from changing ids. */
export const AS_TEXT = 'give the column of the ids the format Text before you fill it, and save the file again';

/** Spreadsheets show numbers of more than eleven digits, such as ids, as `1.23457E+11`. */
const ROUNDED = /^\d+(?:[.,]\d+)?E[+-]\d+$/i;
/**
 * `#NAME?`, `#REF!`, `#¡REF!`, `#N/A` (`#Н/Д`, `#I/T`), those without a sign (`#NV`, `#YOK`, `#GETTING_DATA`),
 * `Err:502`, and `####` of a column that is too narrow.
 */
const FAULT =
  /^#(?:[¡¿]?[\p{L}\d_/ ]+[!?]|\p{Lu}\/\p{Lu}{1,2}|NV|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA|#+)$|^Err:\d{3}$/u;

/** Why an id that nobody has yet can be none: undefined if it may be one. */
export function doubtOf({ kind, record: { id } }: CheckedRecord): string | undefined {
  if (kind !== 'user' || typeof id !== 'string') return undefined;
  if (ROUNDED.test(id)) return `the id ${quote(id)} looks like a number that a spreadsheet has rounded: ${AS_TEXT}`;
  return FAULT.test(id) ? `the id ${quote(id)} is what a spreadsheet writes for an error: ${AS_TEXT}` : undefined;
}

/** The second and further bytes of a letter in UTF-8, as Windows-1252 reads them. */
const NEXT =
  '[\u0080-\u00BF\u0152\u0153\u0160\u0161\u0178\u017D\u017E\u0192\u02C6\u02DC\u2013\u2014\u2018-\u201A' +
  '\u201C-\u201E\u2020-\u2022\u2026\u2030\u2039\u203A\u20AC\u2122]';
/** A letter in UTF-8 that was read as Windows-1252: `Ã¼`, `Ð–`, `â€™`. */
const TWICE = new RegExp(`[\u00C2-\u00C5\u00CE-\u00D1]${NEXT}|[\u00E0-\u00EF]${NEXT}{2}|[\u00F0-\u00F4]${NEXT}{3}`);

const DECODED_TWICE = 'text in UTF-8 that was read in another encoding: save the file as UTF-8';

/** A warning of text that was decoded twice. */
export function warningOf({ record }: CheckedRecord): string | undefined {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'string' && TWICE.test(value)) return `${field} ${quote(value)} looks like ${DECODED_TWICE}`;
  }
  return undefined;
}
