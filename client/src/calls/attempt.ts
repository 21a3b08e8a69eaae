import type { UserAdministrationError } from '../user-administration-error.ts';

/** One attempt of a call: one HTTP request. */
export interface Attempt {
  /** Method and path template of the OpenAPI document, such as `POST /api/users/workspace-assign`. */
  operation: string;
  method: string;
  url: string;
  /** 1 for the first attempt of a call. */
  number: number;
  /** The headers of the request, without `authorization`. `attemptStarted` may add headers. */
  headers: Record<string, string>;
}

/** How an attempt ended. */
export interface AttemptEnd {
  /** Milliseconds from the request to the end of the answer's body. */
  durationMs: number;
  /** The HTTP status. Absent if no answer arrived. */
  status?: number;
  /** Absent after a success. */
  error?: UserAdministrationError;
}
