/** Hints for files of another form than the one that was expected, by the first line that is not blank. */

/** The first bytes of a workbook (XLSX or ODS, which are archives), and of an old one (XLS). */
const WORKBOOK = /^PK\u0003\u0004|^\uFFFD\uFFFD\u0011\u0871\u001A/;
const WORKBOOK_HINT = 'this is a workbook of a spreadsheet: save the table in it as CSV UTF-8';
const ARRAY_HINT =
  'this is JSON, not NDJSON: write each record on a line of its own, without [ ] and commas between them';

/** @returns what is wrong with a file that should be NDJSON, if it is known */
export function notNdjson(line: string): string | undefined {
  if (WORKBOOK.test(line)) return WORKBOOK_HINT;
  const text = line.trim();
  if (text.startsWith('[')) return ARRAY_HINT;
  // The header of a table.
  if (/^"?sep=|^[^{]*\bid\b/i.test(text.slice(0, HEADER_CHARACTERS)))
    return 'this is a table: its format is CSV, not NDJSON';
  return undefined;
}

/** @returns what is wrong with a file that should be CSV, if it is known */
export function notCsv(line: string): string | undefined {
  if (WORKBOOK.test(line)) return WORKBOOK_HINT;
  const text = line.trim();
  if (/^\{\s*"/.test(text)) return 'this is NDJSON, not CSV';
  if (text.startsWith('[')) return 'this is JSON: only NDJSON and CSV can be imported';
  if (text.includes('\t') && !/[,;]/.test(text))
    return 'the columns are separated by tabs: save the table as CSV, with commas or semicolons';
  return undefined;
}

const HEADER_CHARACTERS = 1_000;
