/**
 * Lines of a file. `directory-record.rules.ts` checks the content of a line, and `import-checks.ts` compares it with
 * the directory.
 */
import { setImmediate } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { ImportError } from './import-error';
import { FILE_LIMITS } from './limits';

/** A line of a file: its text, or its bytes read as well as they can be if they are not UTF-8. */
export type Line = string | { notUtf8: string };

/**
 * Consecutive lines, each with its line break, of nothing but blanks, separators and quoted blanks, so that a file of
 * millions of them costs little. None of them has more cells than a row can have.
 */
export interface EmptyLines {
  text: string;
  count: number;
}

/** Lines of a file, from 1. */
export type Lines = AsyncIterable<Line | EmptyLines> | Iterable<Line | EmptyLines>;

/** What is read in one turn of the event loop: 16 KiB of lines of one letter take some 20 milliseconds. */
const PIECE_BYTES = 16 * 1024;

/** Fewer consecutive empty lines are told one by one. */
const FEWEST_EMPTY_LINES = 4;

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA, SEMICOLON] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3b];
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Bytes in memory, in pieces. Reading them waits for nothing, and other requests must be served meanwhile.
 *
 * @param gone ends the reading
 */
export async function* piecesOf(bytes: Uint8Array, gone?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    gone?.throwIfAborted();
    yield bytes.subarray(start, start + PIECE_BYTES);
    await setImmediate();
  }
}

/**
 * Splits bytes into lines, with at most one line in memory. A byte order mark at the start is skipped. A carriage
 * return stays at the end of its line, where JSON treats it as white space.
 *
 * @throws ImportError for a line that is too long
 * @example for await (const line of readLines(createReadStream('directory.ndjson'))) console.log(line);
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number = FILE_LIMITS.lineBytes,
): AsyncGenerator<Line | EmptyLines, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let pieces: Uint8Array[] = [];
  let length = 0;
  let line = 1;

  const append = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > maxBytes) throw new ImportError([{ line, problem: `longer than ${maxBytes} bytes` }]);
    pieces.push(piece);
  };
  const take = (): Line => {
    const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    const text = decode(decoder, bytes);
    const isMarked = line === 1 && typeof text === 'string' && text.startsWith(BYTE_ORDER_MARK);
    pieces = [];
    length = 0;
    line += 1;
    return isMarked ? text.slice(1) : text;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const empty = length === 0 ? emptyLines(chunk, start) : NONE;
      if (empty.count >= FEWEST_EMPTY_LINES) {
        yield { text: Buffer.from(chunk.subarray(start, empty.end)).toString('latin1'), count: empty.count };
        start = empty.end;
        line += empty.count;
        continue;
      }
      append(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) append(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): Line {
  try {
    return decoder.decode(bytes);
  } catch {
    return { notUtf8: new TextDecoder().decode(bytes) };
  }
}

const NONE = { end: 0, count: 0 };

/** How many lines from `start` on are empty, and where they end. */
function emptyLines(bytes: Uint8Array, start: number): { end: number; count: number } {
  let [end, count, cells] = [start, 0, 1];
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === NEWLINE) [end, count, cells] = [at + 1, count + 1, 1];
    else if (byte === COMMA || byte === SEMICOLON) cells += 1;
    else if (byte === QUOTE && (at === end || isSeparator(bytes[at - 1]))) at = endOfQuotedBlanks(bytes, at);
    else if (byte !== SPACE && byte !== TAB && byte !== RETURN) break;
    if (cells > FILE_LIMITS.cells) break;
  }
  return { end, count };
}

/** The closing quote of a cell with nothing but blanks, or the end of the bytes. */
function endOfQuotedBlanks(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  const next = bytes[at + 1];
  return bytes[at] === QUOTE && (next === RETURN || next === NEWLINE || isSeparator(next)) ? at : bytes.length;
}

const isSeparator = (byte: number | undefined): boolean => byte === COMMA || byte === SEMICOLON;

/** Whether these are several empty lines at once. */
export function areEmpty(given: Line | EmptyLines): given is EmptyLines {
  return typeof given === 'object' && 'count' in given;
}

/** Each of several lines. */
export const eachOf = ({ text }: EmptyLines): string[] => text.slice(0, -1).split('\n');
