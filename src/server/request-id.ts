import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What a caller may send as its request id: short and printable, so that it can stand in a log line as it is. */
const SANE = /^[\w.:@/+=-]{1,128}$/;

/** The id of a request: the caller's, if sane, else a new one. It goes back on the answer. */
export function requestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE.test(sent) ? sent : newId();
  response.setHeader(REQUEST_ID_HEADER, id);
  return id;
}

const RANDOM_BYTES = 16;
const pool = new Uint8Array(256 * RANDOM_BYTES);
let used = pool.length;

/** A UUIDv7. Randomness is drawn for many at a time, because each draw is a call of the system. */
function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return uuidv7({ random: pool.subarray(used, (used += RANDOM_BYTES)) });
}
