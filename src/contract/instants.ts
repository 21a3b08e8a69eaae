/**
 * A time with an offset from UTC: without one, it would mean different moments on different machines. RFC 3339 permits
 * small letters, and ISO 8601 an offset without its colon or its minutes.
 */
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|([+-]\d\d)(?::?(\d\d))?)$/i;

/**
 * Reads a time as ISO 8601 with an offset; undefined if it is none. `Date` reads the 30th of February as the 2nd of
 * March, so the parsed day must equal the given one. It drops fractions of a millisecond, the precision of the service.
 *
 * @example readInstant('2030-01-01T00:00:00+02:00')
 */
export function readInstant(value: unknown): Date | undefined {
  const [, day = '', time, hours, minutes = '00'] = (typeof value === 'string' && INSTANT.exec(value)) || [];
  const date = new Date(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(date.getTime()) || !new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? undefined : date;
}

/** Whether a time can be kept: in UTC, its year is one of 1 to 9999. `toISOString` writes others in ways of its own. */
export function isStorableInstant(value: unknown): value is string {
  const year = readInstant(value)?.getUTCFullYear() ?? 0;
  return year >= 1 && year <= 9999;
}
