import { UserAdministrationError } from '../user-administration-error.ts';

/** Room for the deletion of a user with 400,000 memberships: that event lists all of them. Other events are much smaller. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Anybody can send a body with headers that look like those of a delivery. So this bounds all bodies together. */
const MAX_HELD_BYTES = 2 * MAX_BYTES;

/** The part of a Node stream that is needed. */
interface NodeStream extends AsyncIterable<Uint8Array> {
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  resume(): unknown;
}

/** Reads bodies into memory, up to a size of each and of all together. */
export class HeldBodies {
  private heldBytes = 0;

  /**
   * Reads a body, and holds it until `use` returns.
   *
   * @throws UserAdministrationError `client.webhook_too_large`, `client.webhook_busy`
   */
  async use<Result>(body: AsyncIterable<Uint8Array>, use: (bytes: Uint8Array) => Result): Promise<Result> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of withoutDestroying(body)) {
        bytes += chunk.byteLength;
        this.heldBytes += chunk.byteLength;
        if (bytes > MAX_BYTES) throw failure('client.webhook_too_large', `The body is longer than ${MAX_BYTES} bytes.`);
        if (this.heldBytes > MAX_HELD_BYTES)
          throw failure('client.webhook_busy', 'Too many bodies are arriving at once.');
        chunks.push(chunk);
      }
      return use(Buffer.concat(chunks));
    } catch (error) {
      discard(body);
      throw error;
    } finally {
      this.heldBytes -= bytes;
    }
  }
}

/** By default, leaving the loop would end the connection, and the sender would get no answer. */
function withoutDestroying(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return isNodeStream(body) ? body.iterator({ destroyOnReturn: false }) : body;
}

/** Reads the rest, and keeps nothing of it, so that the sender comes to read the answer. */
function discard(body: AsyncIterable<Uint8Array>): void {
  if (isNodeStream(body)) body.resume();
}

function isNodeStream(body: AsyncIterable<Uint8Array>): body is NodeStream {
  return 'iterator' in body && 'resume' in body;
}

function failure(code: string, detail: string): UserAdministrationError {
  return new UserAdministrationError({ code, detail, temporary: code === 'client.webhook_busy' });
}
