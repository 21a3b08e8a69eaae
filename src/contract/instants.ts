/** A time with an offset from UTC: without one, it would mean different moments on different machines. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads a time as ISO 8601 with an offset; undefined if it is none. `Date` reads the 30th of February as the 2nd of
 * March, so the parsed day must equal the given one. It drops fractions of a millisecond, the precision of the service.
 * In UTC, the year is one of 1 to 9999: `toISOString` writes others as PostgreSQL does not read them.
 *
 * @example readInstant('2030-01-01T00:00:00+02:00')
 */
export function readInstant(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !INSTANT.test(value)) return undefined;
  const date = new Date(value);
  const year = date.getUTCFullYear();
  const day = value.slice(0, 10);
  return year >= 1 && year <= 9999 && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? date : undefined;
}

export function isInstant(value: unknown): boolean {
  return readInstant(value) !== undefined;
}
