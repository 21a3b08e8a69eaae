import { guarded } from './formula-guard';

/** Spreadsheets read a file in UTF-8 only with this mark. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A row of a file of comma-separated values (RFC 4180), with its line end. No cell of it is a formula. */
export const csvRow = (cells: readonly (string | null | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(value: string | null | undefined): string {
  const text = guarded(value ?? '');
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
