import type { AttemptEnd, Attempt } from './calls/attempt.ts';
import type { TokenSource } from './tokens/token-source.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://users.example`, with the path that a gateway puts in front, if any. */
  baseUrl: string | URL;
  /** The access token of the caller, or a function that gives one, such as `clientCredentials({...})`. Asked for each attempt. */
  token: TokenSource;
  /** The languages of the service's sentences, as in `Accept-Language`. The service's own default is English. */
  language?: string;
  /** How long one attempt may take, with its answer. Default: 10,000. */
  timeoutMs?: number;
  /** How long a call may take, with all attempts, pauses and tokens. Default: 30,000. */
  deadlineMs?: number;
  /** How often a call is sent again after a temporary failure. Default: 5. */
  retries?: number;
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Tells of the request that is being served now, so that its ids go along with each call. */
  context?: () => RequestContext | undefined;
  hooks?: Hooks;
}

/** What belongs to the request that is being served, and is passed on to the service. */
export interface RequestContext {
  /** Comes back on the answer, and stands in the service's log and journal. */
  requestId?: string;
  /** W3C Trace Context. One that is malformed is not sent. */
  traceparent?: string;
  tracestate?: string;
}

/** For tracing and metrics. What a hook throws becomes a process warning, and does not touch the call. */
export interface Hooks {
  /** Before each attempt. It may set headers, such as the `traceparent` of a span that it opens. */
  attemptStarted?(attempt: Attempt): void;
  /** After each attempt, however it ended. */
  attemptEnded?(attempt: Attempt, end: AttemptEnd): void;
}

/** What one call can have otherwise than the client. */
export interface CallOptions extends RequestContext {
  /** Ends the call, also in a pause between two attempts. */
  signal?: AbortSignal;
  language?: string;
  timeoutMs?: number;
  deadlineMs?: number;
  retries?: number;
}

/** For a POST that changes something: it is sent under one key, made up for the call unless you give one. */
export interface PostOptions extends CallOptions {
  /** 1 to 255 characters of visible ASCII. The service remembers it for 24 hours. */
  idempotencyKey?: string;
}

/** For a PATCH or DELETE. */
export interface ConditionalOptions extends CallOptions {
  /** The `etag` that the record must still have. With it, a PATCH can be sent again after a broken connection. */
  ifMatch?: string;
}
