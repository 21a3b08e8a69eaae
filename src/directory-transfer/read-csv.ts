import { CsvError, parse } from 'csv-parse/sync';
import { checkRecord, type FileRecord, RecordProblem } from './directory-record.rules';
import { ImportError, quote } from './import-error';
import { type Lines, MAX_LINE_BYTES } from './read-lines';

const LISTS = ['permissions', 'workspaces', 'groups'] as const;
const NULLABLE = ['email', 'displayName', 'activeUntil'] as const;
const COLUMNS = ['id', 'email', 'displayName', 'status', 'activeUntil', ...LISTS] as const;
type Column = (typeof COLUMNS)[number];

/** Rows that the parser gets at once. Each of its calls has a cost of its own. */
const BATCH_ROWS = 1_000;
const BATCH_CHARACTERS = 1_000_000;

/** The text of one row: several lines if a quoted cell has line breaks. */
interface Row {
  line: number;
  text: string;
  problem?: string;
}

interface Header {
  /** Undefined for a column without a heading, which must be empty. */
  columns: readonly (Column | undefined)[];
  delimiter: string;
}

/**
 * The users of a CSV file (RFC 4180), whose first row names the columns. An absent column leaves a field as it is,
 * and an empty cell clears it. Additions of spreadsheets are skipped: a first line `sep=;`, rows of blank cells, and
 * empty columns.
 *
 * @throws ImportError for a header that cannot be used, or a row that is too long
 */
export async function* readCsv(lines: Lines): AsyncGenerator<FileRecord, void, undefined> {
  let header: Header | undefined;
  let separator = ',';
  let rows: Row[] = [];
  let characters = 0;
  for await (const row of readRows(lines)) {
    if (!header) {
      const given = separatorOf(row);
      if (given) separator = given;
      else if (row.problem !== undefined || !/^[\s,;"]*$/.test(row.text)) header = readHeader(row, separator);
      continue;
    }
    rows.push(row);
    characters += row.text.length;
    if (rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield* readUsers(rows, header);
    rows = [];
    characters = 0;
  }
  if (header) yield* readUsers(rows, header);
}

/**
 * Rows end where their quotes are even. The parser counts the lines of quoted line breaks wrongly, and cannot go on
 * after an error.
 */
async function* readRows(lines: Lines): AsyncGenerator<Row, void, undefined> {
  let line = 0;
  let row: Row | undefined;
  for await (const given of lines) {
    line += 1;
    const text = typeof given === 'string' ? given : given.notUtf8;
    if (!row && (text === '' || text === '\r')) continue;
    const endsRow: boolean = hasEvenQuotes(text) === !row;
    row = row ? { ...row, text: `${row.text}\n${text}` } : { line, text };
    if (typeof given !== 'string' || given.includes('\0')) row.problem = NOT_UTF8;
    if (endsRow) yield row;
    else if (row.text.length > MAX_LINE_BYTES) throw new ImportError([{ line: row.line, problem: NOT_CLOSED }]);
    if (endsRow) row = undefined;
  }
  if (row) yield { problem: NOT_CLOSED, ...row };
}

/** Text in UTF-16 that is all ASCII is valid UTF-8, with a NUL for each character. */
const NOT_UTF8 = 'not valid UTF-8: save it as CSV UTF-8';
const NOT_CLOSED = 'a quoted cell has no closing quote';

function hasEvenQuotes(text: string): boolean {
  let even = true;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) even = !even;
  return even;
}

/** What a first line `sep=;` says. */
function separatorOf({ line, text }: Row): string | undefined {
  return line === 1 ? /^"?sep=([,;])"?\s*$/i.exec(text)?.[1] : undefined;
}

/** @param separator of a header with one column */
function readHeader(row: Row, separator: string): Header {
  const { line, text, problem } = row;
  const delimiter = [';', ','].find((given) => text.includes(given)) ?? separator;
  const names = (parseRow(row, delimiter) ?? []).map((name) => name.trim());
  const columns = names.map((name) => COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase()));
  const unknown = names.find((name, index) => name !== '' && !columns[index]);
  const twice = columns.find((column, index) => column && columns.indexOf(column) < index);
  const refusal =
    problem ??
    (names.length === 0 ? NOT_CSV : undefined) ??
    (unknown === undefined ? undefined : `unknown column ${quote(unknown)}: the columns are ${COLUMNS.join(', ')}`) ??
    (twice && `the column ${twice} is given twice`) ??
    (columns.includes('id') ? undefined : 'the column id is missing');
  if (refusal !== undefined) throw new ImportError([{ line, problem: refusal }]);
  return { columns: columns.slice(0, columns.findLastIndex((column) => column) + 1), delimiter };
}

const NOT_CSV = 'not valid CSV: a cell with quotes must begin and end with one, and those within must be doubled';

function* readUsers(rows: readonly Row[], { columns, delimiter }: Header): Generator<FileRecord, void, undefined> {
  const parsed = parseRows(rows, delimiter);
  for (const [index, { line, problem }] of rows.entries()) {
    const cells = parsed[index];
    if (problem === undefined && cells?.every(isBlank)) continue;
    const read = () => {
      if (problem !== undefined) throw new RecordProblem(problem);
      return checkRecord('user', userOf(columns, cells));
    };
    yield { line, read };
  }
}

const isBlank = (cell: string): boolean => cell.trim() === '';

function userOf(columns: Header['columns'], cells: string[] | undefined): Record<string, unknown> {
  if (!cells) throw new RecordProblem(NOT_CSV);
  const surplus = cells.findIndex((cell, index) => !columns[index] && !isBlank(cell));
  if (cells.length < columns.length || surplus >= columns.length)
    throw new RecordProblem(`this row has ${cells.length} cells, and the header ${columns.length}`);
  if (surplus !== -1) throw new RecordProblem(`the cell ${surplus + 1} has a value, and its column has no heading`);
  return Object.fromEntries(
    columns.flatMap((column, index) => (column ? [[column, valueOf(column, cells[index] ?? '')]] : [])),
  );
}

function valueOf(column: Column, cell: string): unknown {
  if (isOneOf(LISTS, column)) return cell === '' ? [] : cell.split('|');
  return cell === '' && isOneOf(NULLABLE, column) ? null : cell;
}

const isOneOf = (columns: readonly Column[], column: Column): boolean => columns.includes(column);

/** The cells of each row, and undefined for a row with misplaced quotes. */
function parseRows(rows: readonly Row[], delimiter: string): (string[] | undefined)[] {
  return tryToParse(rows, delimiter) ?? rows.map((row) => parseRow(row, delimiter));
}

const parseRow = (row: Row, delimiter: string): string[] | undefined => tryToParse([row], delimiter)?.[0];

function tryToParse(rows: readonly Row[], delimiter: string): string[][] | undefined {
  try {
    const text = rows.map((row) => `${row.text}\n`).join('');
    return parse(text, { delimiter, record_delimiter: ['\r\n', '\n'], relax_column_count: true });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}
