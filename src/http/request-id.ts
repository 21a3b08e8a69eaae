import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What a caller may send as its request id: short and printable, so that it can stand in a log line as it is. */
const SANE = /^[\w.:@/+=-]{1,128}$/;

/** The id of a request: the caller's, if sane, else a new one. It goes back on the answer. */
export function requestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE.test(sent) ? sent : uuidv7();
  response.setHeader(REQUEST_ID_HEADER, id);
  return id;
}
