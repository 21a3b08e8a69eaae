import type { ErrorCode } from './error-codes.ts';

/** The position of an error in the request body: an RFC 6901 JSON pointer such as `/userIds/1`, and the id at that position. */
export interface ErrorLocation {
  pointer: string;
  id?: string;
}

/** A bad line of a file that was imported, counted from 1, and what is wrong with it, in English. */
export interface LineError {
  line: number;
  message: string;
}

export interface ErrorFacts {
  code: ErrorCode;
  detail: string;
  status?: number;
  errors?: readonly ErrorLocation[];
  lines?: readonly LineError[];
  requestId?: string;
  temporary?: boolean;
  outcomeUnknown?: boolean;
  idempotencyKey?: string;
  retryAfterMs?: number;
  cause?: unknown;
}

/**
 * The error class of this package.
 *
 * @example
 * try {
 *   await client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'] });
 * } catch (error) {
 *   if (error instanceof UserAdministrationError && error.code === 'user.invalid') showFaults(error.errors);
 *   else throw error;
 * }
 */
export class UserAdministrationError extends Error {
  /** The stable code to branch on, such as `user.invalid`. Codes that begin with `client.` come from this package. */
  readonly code: ErrorCode;
  /** The message for people: from the service in the language of the call, or from this package in English. */
  readonly detail: string;
  /** The HTTP status; undefined if no answer arrived; 0 for a redirect in a browser, which hides it. */
  readonly status: number | undefined;
  /** The positions of the error in the request body; empty if the service reports none. */
  readonly errors: readonly ErrorLocation[];
  /** The bad lines of a file; empty for other calls. */
  readonly lines: readonly LineError[];
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later: the service was unreachable, overloaded or restarting. */
  readonly temporary: boolean;
  /** Whether the change may have been made although the call failed. Read the record first, or call again with `idempotencyKey`. */
  readonly outcomeUnknown: boolean;
  /** The `Idempotency-Key` of the call. A second call with the same key and body does not make the change again. */
  readonly idempotencyKey: string | undefined;
  /** The `Retry-After` of the answer in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(facts: ErrorFacts) {
    const { code, detail, requestId } = facts;
    super(
      `${detail} (${code}${requestId === undefined ? '' : `, request ${requestId}`})`,
      facts.cause === undefined ? undefined : { cause: facts.cause },
    );
    this.name = 'UserAdministrationError';
    this.code = code;
    this.detail = detail;
    this.status = facts.status;
    this.errors = facts.errors ?? [];
    this.lines = facts.lines ?? [];
    this.requestId = requestId;
    this.temporary = facts.temporary ?? false;
    this.outcomeUnknown = facts.outcomeUnknown ?? false;
    this.idempotencyKey = facts.idempotencyKey;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
