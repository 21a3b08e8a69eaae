import type { AttemptEnd, Attempt } from './calls/attempt.ts';
import type { TokenSource } from './tokens/token-source.ts';

/** The options of a `UserAdministrationClient`. Durations are in milliseconds. */
export interface ClientOptions {
  /** The URL of the service, such as `https://users.example`. Include the path that a gateway adds, if any. */
  baseUrl: string | URL;
  /** An access token, or a function that returns one, such as `clientCredentials({...})`. Each attempt calls the function. */
  token: TokenSource;
  /** The language of the service's messages, in the format of `Accept-Language`, such as `de-CH, de;q=0.9`. Default: English. */
  language?: string;
  /** Time limit of one attempt, from the request to the end of the answer. Default: 10,000. */
  timeoutMs?: number;
  /** Time limit of a call with all its attempts, pauses and token requests. Default: 30,000. */
  deadlineMs?: number;
  /** Maximum number of retries after temporary failures; 0: none. Default: 5. */
  retries?: number;
  /** Replaces the global `fetch`, for example by one with a proxy or with certificates of your own. */
  fetch?: typeof globalThis.fetch;
  /**
   * Returns the ids of the request that the app is serving. Each call passes them on to the service.
   *
   * @example context: () => asyncLocalStorage.getStore()
   */
  context?: () => RequestContext | undefined;
  /** Callbacks for tracing and metrics. */
  hooks?: Hooks;
}

/** The ids of the request that the app is serving, sent to the service as headers. */
export interface RequestContext {
  /** Sent as `X-Request-Id`. The service returns it, and writes it to its log and journal. Default: a new UUID. */
  requestId?: string;
  /** Sent as `traceparent` (W3C Trace Context). A malformed one is not sent. */
  traceparent?: string;
  /** Sent as `tracestate` (W3C Trace Context), together with `traceparent`. */
  tracestate?: string;
}

/** Callbacks for tracing and metrics. An error that a hook throws becomes a process warning and does not affect the call. */
export interface Hooks {
  /** Called before each attempt. It may add to `attempt.headers`, such as the `traceparent` of a new span. */
  attemptStarted?(attempt: Attempt): void;
  /** Called after each attempt, both after success and failure. */
  attemptEnded?(attempt: Attempt, end: AttemptEnd): void;
}

/** Options of one call. They take precedence over the options of the client. */
export interface CallOptions extends RequestContext {
  /** Aborts the call at any time, also during a pause. The call then fails with `client.aborted`. */
  signal?: AbortSignal;
  language?: string;
  timeoutMs?: number;
  deadlineMs?: number;
  retries?: number;
}

/** Options of a POST. All attempts of one call have the same `Idempotency-Key`, so the service makes the change once. */
export interface PostOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. The service remembers the key for 24 hours. Default: a new UUID. */
  idempotencyKey?: string;
}

/** Options of a PATCH or DELETE, of a renaming, and of a new secret for a webhook. */
export interface ConditionalOptions extends CallOptions {
  /**
   * Sent as `If-Match`: the change is made only if the record still has this `etag`; otherwise the call fails with `record.changed` (412).
   * It also makes a PATCH safe to retry.
   */
  ifMatch?: string;
}

/** Options of the creation of a user, workspace, group or permission. */
export interface CreationOptions extends PostOptions {
  /** The reason for the journal: 1 to 500 characters. */
  reason?: string;
}

/** Options of the change or the deletion of one of these. */
export interface RecordOptions extends ConditionalOptions {
  /** The reason for the journal: 1 to 500 characters. With `erase`, it stands in the entry of the erasure alone. */
  reason?: string;
  /** Returns what the change would do, and changes nothing. */
  dryRun?: boolean;
}
