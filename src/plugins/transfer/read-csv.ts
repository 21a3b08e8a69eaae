import { CsvError, parse } from 'csv-parse/sync';
import { LIMITS } from '../door';
import { unguarded } from '../../contract/formula-guard';
import { writableFields } from '../../contract/record-fields';
import { type CheckedRecord, checkRecord, type FileRecord, RecordProblem } from './directory-record.rules';
import { ImportError, quote } from './import-error';
import { notCsv } from './other-formats';
import { areEmpty, eachOf, type Lines } from './read-lines';
import { CELLS, COLUMNS } from './words-of-tables';
import { FILE_LIMITS } from './limits';

const LISTS = ['permissions', 'workspaces', 'groups'];
const NULLABLE = writableFields('user').flatMap(([name, { nullable }]) => (nullable ? [name] : []));

/** Rows that the parser gets at once. Each of its calls has a cost of its own, and lets nobody else be served. */
const BATCH_ROWS = 1_000;
const BATCH_CHARACTERS = 64 * 1024;

/** The text of one row: several lines if a quoted cell has line breaks. */
interface Row {
  line: number;
  text: string;
  problem?: string;
}

interface Header {
  /** Undefined for a column without a heading, which must be empty. */
  columns: readonly (string | undefined)[];
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
  const isSkipped = (text: string): boolean => !header || !text.includes(header.delimiter === ',' ? ';' : ',');
  for await (const row of readRows(lines, isSkipped)) {
    if (!header) {
      const hint = notCsv(row.text);
      if (hint !== undefined) throw new ImportError([{ line: row.line, problem: hint }]);
      const given = separatorOf(row);
      if (given) separator = given;
      else if (row.problem !== undefined || !/^[\s,;"]*$/.test(row.text)) header = readHeader(row, separator);
      continue;
    }
    row.problem ??= excessOf(row.text, header.delimiter);
    if (row.problem === undefined && isBlankRow(row.text, header.delimiter)) continue;
    rows.push(row.problem === undefined ? row : { ...row, text: '' });
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
async function* readRows(
  lines: Lines,
  isSkipped: (emptyLines: string) => boolean,
): AsyncGenerator<Row, void, undefined> {
  let line = 0;
  let row: Row | undefined;
  let [texts, length]: [string[], number] = [[], 0];
  for await (const several of lines) {
    if (areEmpty(several) && !row && isSkipped(several.text)) {
      line += several.count;
      continue;
    }
    for (const given of areEmpty(several) ? eachOf(several) : [several]) {
      line += 1;
      const text: string = typeof given === 'string' ? given : given.notUtf8;
      if (!row && (text === '' || text === '\r')) continue;
      const endsRow: boolean = hasEvenQuotes(text) === !row;
      row ??= { line, text: '' };
      texts.push(text);
      length += text.length + 1;
      if (typeof given !== 'string' || given.includes('\0')) row.problem = NOT_UTF8;
      if (endsRow) yield { ...row, text: texts.join('\n') };
      else if (length > FILE_LIMITS.lineBytes) throw new ImportError([{ line: row.line, problem: NOT_CLOSED }]);
      if (endsRow) [row, texts, length] = [undefined, [], 0];
    }
  }
  if (row) yield { problem: NOT_CLOSED, ...row, text: texts.join('\n') };
}

/** Text in UTF-16 that is all ASCII is valid UTF-8, with a NUL for each character. */
const NOT_UTF8 = 'not valid UTF-8: save it as CSV UTF-8';
const NOT_CLOSED = 'a quoted cell has no closing quote';

function hasEvenQuotes(text: string): boolean {
  let even = true;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) even = !even;
  return even;
}

const MANY_CELLS = `more than ${FILE_LIMITS.cells} cells`;
const MANY_IDS = `more than ${LIMITS.bodyStructure.toLocaleString('en')} cells and ids`;

/** What is wrong with a row of too many cells or ids, which takes far less time than parsing them. */
function excessOf(text: string, delimiter: string): string | undefined {
  const [end, quote, bar] = [delimiter.charCodeAt(0), 0x22, 0x7c];
  let isQuoted = false;
  let [cells, ids] = [1, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) isQuoted = !isQuoted;
    else if (character === bar) ids++;
    else if (character === end && !isQuoted && ++cells > FILE_LIMITS.cells) return MANY_CELLS;
  }
  return cells + ids > LIMITS.bodyStructure ? MANY_IDS : undefined;
}

/** Whether a row has nothing but blanks and the ends of its cells. Blanks in quotes are found after parsing. */
const isBlankRow = (text: string, delimiter: string): boolean => BLANK_ROWS[delimiter]?.test(text) ?? false;
const BLANK_ROWS: Record<string, RegExp> = { ',': /^[\s,]*$/, ';': /^[\s;]*$/ };

/** What a first line `sep=;` says. */
function separatorOf({ line, text }: Row): string | undefined {
  return line === 1 ? /^"?sep=([,;])"?\s*$/i.exec(text)?.[1] : undefined;
}

/** @param separator of a header with one column */
function readHeader(row: Row, separator: string): Header {
  const { line, text, problem } = row;
  const delimiter = [';', ','].find((given) => text.includes(given)) ?? separator;
  const tooMany = excessOf(text, delimiter);
  const names = (tooMany ? [] : (parseRow(row, delimiter) ?? [])).map((name) => name.trim());
  const known = COLUMNS.join(', ');
  const columns = names.map((name) => COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase()));
  const unknown = names.filter((name, index) => name !== '' && !columns[index]).map(quote);
  const twice = columns.filter((column, index) => column && columns.indexOf(column) < index);
  const wrong = [
    ...new Set(twice.map((column) => `the column ${column} is given twice`)),
    ...(columns.includes('id') ? [] : ['the column id is missing']),
    ...(unknown.length === 0
      ? []
      : [`unknown column${unknown.length > 1 ? 's' : ''} ${unknown.join(', ')}: the columns are ${known}`]),
  ].join('; ');
  const refusal = problem ?? tooMany ?? (names.length === 0 ? NOT_CSV : wrong || undefined);
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
      return checkUser(userOf(columns, cells));
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

/** @throws RecordProblem in the words of tables */
function checkUser(user: Record<string, unknown>): CheckedRecord {
  try {
    return checkRecord('user', user);
  } catch (error) {
    const column = COLUMNS.find((one) => error instanceof RecordProblem && error.field === one);
    if (!column) throw error;
    throw new RecordProblem(`the cell of the column ${column} must ${CELLS[column]}`, (error as RecordProblem).known);
  }
}

function valueOf(column: string, guardedCell: string): unknown {
  const cell = unguarded(guardedCell);
  if (LISTS.includes(column)) return cell === '' ? [] : cell.split('|');
  return cell === '' && NULLABLE.includes(column) ? null : cell;
}

/** The cells of each row, and undefined for a row with misplaced quotes. */
function parseRows(rows: readonly Row[], delimiter: string): (string[] | undefined)[] {
  // The parser takes far longer, and all the longer for a cell of a thousand ids.
  if (!rows.some(({ text }) => text.includes('"')))
    return rows.map(({ text }) => text.replace(/\r$/, '').split(delimiter));
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
