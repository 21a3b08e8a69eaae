import type { RequestContext } from '../client-options.ts';
import { randomId } from './random-id.ts';
import { warn } from './warn.ts';

/** The request ids that the service accepts. */
const SANE_ID = /^[\w.:@/+=-]{1,128}$/;
/**
 * W3C Trace Context. Ids that consist of zeros are invalid, and so is the version ff. Version 00 ends after the flags. A higher version,
 * which is sent on as it is, can continue after a hyphen.
 */
const TRACEPARENT =
  /^(?!ff)(?:00(?=.{53}$)|(?!00)[0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[!-+\--~]{0,200})?$/;
const TRACESTATE = /^[ -~]{1,512}$/;

/**
 * The headers that connect a call to the request that the app is serving. Options of the call take precedence over the context. Every call
 * has a request id, so that it can be found in the log of the service.
 */
export function traceHeaders(call: RequestContext, context: () => RequestContext | undefined): Record<string, string> {
  const current = currentOf(context);
  const requestId = [call.requestId, current?.requestId].find((id) => id !== undefined && SANE_ID.test(id));
  const headers = { 'x-request-id': requestId ?? randomId() };
  const { traceparent, tracestate } = call.traceparent === undefined ? (current ?? {}) : call;
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return headers;
  return { ...headers, traceparent, ...(tracestate && TRACESTATE.test(tracestate) && { tracestate }) };
}

/** A context function that fails must not fail the call. */
function currentOf(context: () => RequestContext | undefined): RequestContext | undefined {
  try {
    return context();
  } catch (error) {
    warn(`The context function failed: ${String(error)}`);
    return undefined;
  }
}
