import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpRefusal } from './refusal';
import type { BodyMemory, HeldBody } from './body-memory';

export const JSON_BODY_TYPE = /^application\/json[ \t]*(?:;|$)/i;
export const JSON_OR_MERGE_PATCH_TYPE = /^application\/(?:merge-patch\+)?json[ \t]*(?:;|$)/i;
/** The media types of the body of a PATCH, in the format of `Accept-Patch` (RFC 5789 section 3.1). */
export const PATCH_TYPES = 'application/json, application/merge-patch+json';
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s";]*)/gi;

/** RFC 9112 section 6: a request has a body if its headers frame one. A length of zero means no body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

/**
 * @param otherwise makes the refusal of another media type
 * @throws HttpRefusal `body.unsupported` or that refusal, `body.encoding_unsupported`
 */
export function refuseOtherThan(
  types: RegExp,
  { headers }: IncomingMessage,
  otherwise = (): Error => new HttpRefusal('body.unsupported'),
): void {
  const type = headers['content-type'] ?? '';
  if (!types.test(type)) throw otherwise();
  const isUtf8 = [...type.matchAll(CHARSET)].every(([, charset = '']) => /^utf-?8$/i.test(charset));
  // A few compressed bytes can expand to any number of bytes.
  if (!isUtf8 || headers['content-encoding']) throw new HttpRefusal('body.encoding_unsupported');
}

/**
 * Reads the body of a request. Its memory is counted until the response has ended.
 *
 * Chunks are copied into one buffer that doubles its size, because each chunk has overhead and a caller can send every
 * byte as a chunk.
 *
 * @param limit in bytes
 * @throws HttpRefusal `body.too_large`, `service.unavailable` when bodies take too much memory, `request.malformed`
 * when it ends early
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  memory: BodyMemory,
): Promise<Buffer> {
  // A body with an announced length is refused unread. Otherwise reading stops at the limit.
  if (Number(request.headers['content-length']) > limit) return Promise.reject(new HttpRefusal('body.too_large'));
  // A destroyed request emits no further event.
  if (request.destroyed) return Promise.reject(endedEarly());
  return new Promise((resolve, reject) => {
    let buffer: Buffer = Buffer.alloc(0);
    let size = 0;
    let isOver = false;
    const fail = (error: HttpRefusal): void => {
      if (isOver) return;
      isOver = true;
      buffer = Buffer.alloc(0);
      memory.release(body);
      // Further bytes are discarded.
      request.off('data', append).resume();
      reject(error);
    };
    const body: HeldBody = { bytes: 0, giveUp: () => fail(noMemory()) };
    const append = (chunk: Buffer): void => {
      const needed = size + chunk.length;
      if (needed > limit) return fail(new HttpRefusal('body.too_large'));
      if (needed > buffer.length) {
        const capacity = Math.min(limit, Math.max(needed, 2 * buffer.length));
        memory.take(body, capacity - buffer.length);
        if (isOver) return;
        const larger = Buffer.allocUnsafe(capacity);
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      chunk.copy(buffer, size);
      size = needed;
    };
    response.once('close', () => memory.release(body));
    request.on('data', append);
    request.once('end', () => {
      isOver = true;
      memory.keep(body);
      resolve(buffer.subarray(0, size));
    });
    // This is also emitted after `end`, when nothing can fail any more.
    request.once('close', () => isOver || fail(endedEarly()));
    request.on('error', () => undefined);
    if (waitsToBeAsked(request)) {
      response.writeContinue();
      delete request.headers.expect;
    }
  });
}

/**
 * Whether the caller sends the body only after a 100 (Continue), which it has not received yet. HTTP/1.0 has no such
 * answer.
 */
export function waitsToBeAsked({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion !== '1.0' && /^100-continue$/i.test(headers.expect ?? '');
}

function endedEarly(): HttpRefusal {
  return new HttpRefusal('request.malformed', {}, { cause: 'the connection ended within the body' });
}

function noMemory(): HttpRefusal {
  return new HttpRefusal('service.unavailable', {}, { cause: 'request bodies take too much memory' });
}
