import type { Problem } from './generated/types.gen.ts';

/** The codes of failures that this package detects. All other codes come from the service. */
export type ClientErrorCode =
  /** An option is invalid, such as a `baseUrl` that is not a URL. */
  | 'client.option_invalid'
  /** An argument of a call is invalid, such as an id that a URL path cannot contain. Nothing was sent. */
  | 'client.argument_invalid'
  /** The token function threw an error, or did not return a token. */
  | 'client.token_failed'
  /** The service could not be reached, or the connection broke before the answer was complete. */
  | 'client.connection_failed'
  /** An attempt took longer than `timeoutMs`. */
  | 'client.timed_out'
  /** The call took longer than `deadlineMs`. */
  | 'client.deadline_exceeded'
  /** The `signal` of the call was aborted. */
  | 'client.aborted'
  /** The answer does not come from this service, but for example from a proxy with an HTML page. */
  | 'client.unexpected_answer'
  /** A webhook delivery has no valid signature, or is too old. */
  | 'client.webhook_refused'
  /** The body of a webhook delivery is longer than any event. Answer 413. */
  | 'client.webhook_too_large'
  /** The bodies of too many webhook deliveries are arriving at once. Answer 503, so that the service sends this one again. */
  | 'client.webhook_busy';

/** An error code of the service or of this package. Any text is allowed, because a newer service can answer new codes. */
export type ErrorCode = Problem['code'] | ClientErrorCode | (string & {});
