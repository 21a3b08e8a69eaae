import type { Problem } from './generated/types.gen.ts';

/** Codes of failures that this package finds by itself. All others come from the service. */
export type ClientErrorCode =
  /** An option of the client cannot be used, such as a `baseUrl` that is no URL. */
  | 'client.option_invalid'
  /** A call cannot be sent as it was made, such as one with an id that no URL can hold. */
  | 'client.argument_invalid'
  /** The token function failed, or gave something that is no token. */
  | 'client.token_failed'
  /** The service could not be reached, or the connection broke before the whole answer was there. */
  | 'client.connection_failed'
  /** An attempt took longer than `timeoutMs`. */
  | 'client.timed_out'
  /** The call took longer than `deadlineMs`. */
  | 'client.deadline_exceeded'
  /** The `signal` of the call was aborted. */
  | 'client.aborted'
  /** Something answered that is not this service, such as a proxy with an HTML page. */
  | 'client.unexpected_answer'
  /** A webhook's delivery is not signed by the service, or too old. */
  | 'client.webhook_refused';

/** A code to branch on. Open-ended: a newer service can answer codes that this version does not know. */
export type ErrorCode = Problem['code'] | ClientErrorCode | (string & {});
