import { BYTE_ORDER_MARK, csvRow } from '../../src/contract/csv.ts';

/** Rows as a file of comma-separated values; the first of its parts begins it. */
export const csvOf = (rows: readonly (readonly (string | null | undefined)[])[], isFirst = true): string =>
  (isFirst ? BYTE_ORDER_MARK : '') + rows.map(csvRow).join('');

/** A moment by the clock of the browser, with its distance from UTC: `2030-03-31 03:00:00 +02:00`. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const minutes = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + minutes * 60_000).toISOString();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((each) =>
    String(each).padStart(2, '0'),
  );
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}
