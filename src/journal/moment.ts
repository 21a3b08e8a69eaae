/** The bits of a moment below the milliseconds since 1970. They contain a part of the id of the change. */
const BITS = 21n;

export const MAX_MOMENT = 2n ** 63n - 1n;

/** The lowest moment at or after a date, for comparing with `journal_changes.moment`. */
export function momentOf(date: Date): bigint {
  const milliseconds = BigInt(date.getTime());
  const moment = milliseconds > 0n ? milliseconds << BITS : 0n;
  return moment > MAX_MOMENT ? MAX_MOMENT : moment;
}
