import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** A request id that a caller may send: short and printable, so that it can stand in a log line unchanged. */
const SANE = /^[\w.:@/+=-]{1,128}$/;

/** A request with its id, which its response and every log line contain. */
export interface IdentifiedRequest extends IncomingMessage {
  id: string;
}

/** Sets the id of a request: the caller's if it is acceptable, else a new one. */
export function giveId(request: IncomingMessage, response: ServerResponse): IdentifiedRequest {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE.test(sent) ? sent : uuidv7();
  response.setHeader(REQUEST_ID_HEADER, id);
  return Object.assign(request, { id });
}
