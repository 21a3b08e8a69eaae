import type { RequestContext } from '../client-options.ts';

/** What the service takes as a request id. */
const SANE_ID = /^[\w.:@/+=-]{1,128}$/;
/** W3C Trace Context, version 00. Ids of zeros alone are invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[ -~]{1,512}$/;

/**
 * The headers that tie a call to the request that it is made for. What the call names goes before what the context tells. Every
 * call has a request id, so that it can be found in the service's log.
 */
export function traceHeaders(call: RequestContext, context: () => RequestContext | undefined): Record<string, string> {
  const current = currentOf(context);
  const requestId = [call.requestId, current?.requestId].find((id) => id !== undefined && SANE_ID.test(id));
  const headers = { 'x-request-id': requestId ?? globalThis.crypto.randomUUID() };
  const { traceparent, tracestate } = call.traceparent === undefined ? (current ?? {}) : call;
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return headers;
  return { ...headers, traceparent, ...(tracestate && TRACESTATE.test(tracestate) && { tracestate }) };
}

/** A call does not fail because nobody can say what it is made for. */
function currentOf(context: () => RequestContext | undefined): RequestContext | undefined {
  try {
    return context();
  } catch (error) {
    process.emitWarning(`The context function failed: ${String(error)}`, 'UserAdministrationClient');
    return undefined;
  }
}
