import type { ErrorLocation, LineError } from '../user-administration-error.ts';
import type { Received } from './exchange.ts';
import type { Failure } from './failure.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Method, WireAnswer, WireRequest } from './wire-request.ts';

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;
const NOT_MODIFIED = 304;
/** The successes that have a JSON object. */
const WITH_BODY = new Set([200, 201]);
/** The successes without a body, by method. */
const BARE: Partial<Record<Method, number>> = { DELETE: 204, GET: NOT_MODIFIED };
/** In a browser, a redirect that is not followed has no status, no headers and no body. */
const HIDDEN_REDIRECT = 0;
/** The statuses of a gateway that got no answer from the service. */
const GATEWAY = new Set([502, 503, 504]);

/** Distinguishes successes from failures. */
export function readAnswer(
  { status, headers, text, stream }: Received,
  { method, changes }: Pick<WireRequest, 'method' | 'changes'>,
): WireAnswer | Failure {
  const requestId = headers.get('x-request-id') ?? undefined;
  if (stream) return { kind: 'answer', status, headers, body: stream, requestId };
  const isJson = JSON_TYPE.test(headers.get('content-type') ?? '');
  const body = isJson ? parsed(text) : undefined;
  const facts = { status, requestId, retryAfterMs: retryAfterMs(headers) };
  if (status === NOT_MODIFIED || (status >= 200 && status < 300)) {
    const isWhole = (method !== 'DELETE' || !changes) && WITH_BODY.has(status) && isObject(body);
    if (isWhole || (text === '' && status === BARE[method] && (changes || method === 'GET')))
      return { kind: 'answer', status, headers, body, requestId };
    // An answer without Content-Length that ends early arrives without an error. Invalid JSON is the only sign.
    const isCutOff = isJson && body === undefined;
    return isCutOff ? { ...facts, ...CUT_OFF } : { ...facts, ...foreign(status, headers, text), mayBeDone: true };
  }
  if (isProblem(body)) return { ...facts, ...refusal(status, body) };
  const temporary = GATEWAY.has(status) || status === 429;
  return { ...facts, ...foreign(status, headers, text), temporary, mayBeDone: status >= 500 };
}

interface Problem {
  code: string;
  detail: string;
  errors?: (ErrorLocation | LineError)[];
}

export const CUT_OFF = {
  kind: 'failure',
  code: 'client.connection_failed',
  detail: 'The answer was cut off.',
  temporary: true,
  mayBeDone: true,
} as const;

/** An error of the service. Its 503 means that nothing was done, except for `service.outcome_unknown`. */
function refusal(status: number, { code, detail, errors }: Problem): Failure {
  return {
    kind: 'failure',
    code,
    detail,
    errors: Array.isArray(errors) ? errors.filter((error) => 'pointer' in error) : undefined,
    lines: Array.isArray(errors) ? errors.filter((error) => 'line' in error) : undefined,
    temporary: status === 429 || status === 503 || code === 'idempotency.in_progress',
    mayBeDone: status === 500 || code === 'service.outcome_unknown' || code === 'idempotency.in_progress',
  };
}

/** An answer that does not come from this service, but from a proxy or another server. */
function foreign(status: number, headers: Headers, text: string): Failure {
  const [type = 'a body without a type'] = /^[a-z]+\/[\w.+-]+/i.exec(headers.get('content-type') ?? '') ?? [];
  // Not its address: that often contains what was sent, or a token of the other server.
  const what = headers.has('location') ? 'a redirect' : text === '' ? 'no body' : type;
  const answer = status === HIDDEN_REDIRECT ? 'a redirect' : `${status} with ${what}${excerpt(text)}`;
  return {
    kind: 'failure',
    code: 'client.unexpected_answer',
    detail: `Not an answer of this service: ${answer}. Check baseUrl, and any proxy in between.`,
    temporary: false,
    mayBeDone: false,
  };
}

/** The beginning of the readable text of a body. */
function excerpt(text: string): string {
  const readable = text
    .slice(0, 2_000)
    .replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  return readable === '' ? '' : ` ("${readable.slice(0, 100)}")`;
}

function isProblem(body: unknown): body is Problem {
  return isObject(body) && typeof body.code === 'string' && typeof body.detail === 'string';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
