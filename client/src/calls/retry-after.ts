/**
 * The `Retry-After` header (RFC 9110 section 10.2.3) in milliseconds. A date is compared with the `Date` of the same answer, because the
 * clock of this machine may be wrong.
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const until = Date.parse(value);
  const now = Date.parse(headers.get('date') ?? '');
  const ms = until - (Number.isNaN(now) ? Date.now() : now);
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
