import type { ErrorCode } from './error-codes.ts';

/** A place in the request body that is at fault: an RFC 6901 JSON pointer, and the id found there. */
export interface ErrorLocation {
  pointer: string;
  id?: string;
}

export interface ErrorFacts {
  code: ErrorCode;
  detail: string;
  status?: number;
  errors?: readonly ErrorLocation[];
  requestId?: string;
  temporary?: boolean;
  outcomeUnknown?: boolean;
  idempotencyKey?: string;
  retryAfterMs?: number;
  cause?: unknown;
}

/**
 * The one error that this package throws.
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
  /** What to branch on, such as `user.invalid`. Codes that begin with `client.` are given by this package. */
  readonly code: ErrorCode;
  /** The sentence for people: the service's, in the language of the call, or this package's, in English. */
  readonly detail: string;
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** The places in the request body that are at fault, where the service names them. */
  readonly errors: readonly ErrorLocation[];
  /** The id under which the service logged the request. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later: the service was away, busy or out of reach. */
  readonly temporary: boolean;
  /** Whether the change may have been made although the call failed. Look before you call again, or call again with `idempotencyKey`. */
  readonly outcomeUnknown: boolean;
  /** The key that the call was sent under. The same call under the same key is done once. */
  readonly idempotencyKey: string | undefined;
  /** How long the service asked callers to wait. */
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
    this.requestId = requestId;
    this.temporary = facts.temporary ?? false;
    this.outcomeUnknown = facts.outcomeUnknown ?? false;
    this.idempotencyKey = facts.idempotencyKey;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
