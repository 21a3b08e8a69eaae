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

/** The trace that a request belongs to. */
interface TraceContext {
  traceId: string;
  /** The header as it was sent. */
  traceparent: string;
}

/**
 * Version 00 ends after the flags. A higher version can continue after a hyphen: here without commas, and not without
 * end.
 */
const TRACEPARENT = new RegExp(
  /^(?!ff)(?:00(?=.{53}$)|(?!00)[0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}/.source +
    /-[0-9a-f]{2}(?:-[!-+\--~]{0,200})?$/.source,
);

/**
 * Reads the header `traceparent` (W3C Trace Context). Node joins several such headers with a comma, which none may
 * contain.
 *
 * @returns undefined if there is none, or if it is invalid
 */
export function traceContextOf({ headers }: Pick<IncomingMessage, 'headers'>): TraceContext | undefined {
  const { traceparent } = headers;
  const [, traceId] = typeof traceparent === 'string' ? (TRACEPARENT.exec(traceparent) ?? []) : [];
  return traceId === undefined ? undefined : { traceId, traceparent: traceparent as string };
}
