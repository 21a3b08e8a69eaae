/** Lines that are no text. What a line says is judged by `directory-file.ts` and, against the directory, by `import-checks.ts`. */
import { TextDecoder } from 'node:util';
import { ImportError } from './import-error';

/** Longer than any legitimate record: a user in 10,000 workspaces with ids of maximum length is far below. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Splits bytes into lines, with at most one line in memory. A byte order mark at the start is skipped. A carriage
 * return stays at the end of its line, where JSON treats it as white space.
 *
 * @throws ImportError for a line that is too long or not UTF-8
 * @example for await (const line of readLines(createReadStream('directory.ndjson'))) console.log(line);
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let pieces: Uint8Array[] = [];
  let length = 0;
  let line = 1;

  const append = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > maxBytes) throw new ImportError(line, `longer than ${maxBytes} bytes`);
    pieces.push(piece);
  };
  const take = (): string => {
    const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    const text = decode(decoder, bytes, line);
    const withoutMark = line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    pieces = [];
    length = 0;
    line += 1;
    return withoutMark;
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

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ImportError(line, 'not valid UTF-8');
  }
}
