/**
 * Lines of a file. `directory-record.rules.ts` checks the content of a line, and `import-checks.ts` compares it with
 * the directory.
 */
import { setImmediate } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { LIMITS } from '../contract/limits';
import { ImportError } from './import-error';

/** A line of a file: its text, or its bytes read as well as they can be if they are not UTF-8. */
export type Line = string | { notUtf8: string };

/** Lines of a file, from 1. */
export type Lines = AsyncIterable<Line> | Iterable<Line>;

/** What is read in one turn of the event loop: 64 KiB of blank lines take some milliseconds. */
const PIECE_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
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
  maxBytes: number = LIMITS.importLineBytes,
): AsyncGenerator<Line, void, undefined> {
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
