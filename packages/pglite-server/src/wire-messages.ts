/** The parts of PostgreSQL's wire protocol that the socket interprets. It forwards everything else to the database unread. */

/** What a client may send first, instead of a protocol version. */
export const SSL_REQUEST = 80877103;
export const GSS_ENCRYPTION_REQUEST = 80877104;
export const CANCEL_REQUEST = 80877102;

/** PostgreSQL's limit: a client that has not signed in cannot make the process buffer more. */
const MAX_LENGTH_BEFORE_SIGN_IN = 10_000;

/** Cuts the bytes that arrive into whole messages. */
export class MessageReader {
  private chunks: Buffer[] = [];
  private size = 0;

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
  }

  /** The startup message, which alone has no type byte. */
  takeUntyped(): Buffer | undefined {
    return this.take(0, MAX_LENGTH_BEFORE_SIGN_IN);
  }

  /** Any later message. */
  takeTyped(signedIn: boolean): Buffer | undefined {
    return this.take(1, signedIn ? Infinity : MAX_LENGTH_BEFORE_SIGN_IN);
  }

  private take(typeLength: 0 | 1, maxLength: number): Buffer | undefined {
    const headLength = typeLength + 4;
    if (this.size < headLength) return undefined;
    // Chunks are joined only for a head and for a complete message, so a long message is not copied once for each
    // chunk.
    if (this.chunks[0]!.length < headLength) this.join();
    const length = typeLength + this.chunks[0]!.readInt32BE(typeLength);
    if (length < headLength || length > maxLength) throw new Error(`a message of ${length} bytes`);
    if (this.size < length) return undefined;
    if (this.chunks[0]!.length < length) this.join();
    const first = this.chunks[0]!;
    this.size -= length;
    if (first.length === length) this.chunks.shift();
    else this.chunks[0] = first.subarray(length);
    return first.subarray(0, length);
  }

  private join(): void {
    this.chunks = [Buffer.concat(this.chunks)];
  }
}

export const ASK_PASSWORD = typedMessage('R', Buffer.from([0, 0, 0, 3]));

/** Ends a batch of the extended protocol. */
export const SYNC = typedMessage('S', Buffer.alloc(0));

/** The error after which a connection ends, as PostgreSQL sends it. */
export function fatalError(sqlState: string, text: string): Buffer {
  return typedMessage('E', Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${text}\0\0`));
}

/**
 * COPY ... FROM STDIN breaks PGlite permanently unless its rows arrive together with it, and clients send them only on
 * request. It is replaced by a statement that fails, so that transactions behave as usual.
 */
export function withoutCopyIn(message: Buffer): Buffer {
  const type = String.fromCharCode(message[0]!);
  if (type !== 'Q' && type !== 'P') return message;
  const text = message.toString('latin1', 5);
  if (!/\bcopy\b[^\0]*\bfrom\s+stdin\b/i.test(text)) return message;
  if (type === 'Q') return typedMessage('Q', Buffer.from(`${COPY_IN_REFUSAL}\0`));
  const statementName = text.slice(0, text.indexOf('\0'));
  return typedMessage('P', Buffer.from(`${statementName}\0${COPY_IN_REFUSAL}\0\0\0`, 'latin1'));
}

const COPY_IN_REFUSAL =
  "DO $$BEGIN RAISE 'the embedded database cannot COPY FROM STDIN' USING ERRCODE = 'feature_not_supported'; END$$";

/** The startup message of a client without special parameters. */
export const PLAIN_STARTUP = startupMessage('user\0postgres\0database\0postgres\0\0');

function startupMessage(parameters: string): Buffer {
  const bytes = Buffer.from(`\0\0\0\0\0\x03\0\0${parameters}`, 'latin1');
  bytes.writeInt32BE(bytes.length);
  return bytes;
}

function typedMessage(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
