import type { IncomingMessage } from 'node:http';

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
const TRACEPARENT =
  /^(?!ff)(?:00(?=.{53}$)|(?!00)[0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[!-+\--~]{0,200})?$/;

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
