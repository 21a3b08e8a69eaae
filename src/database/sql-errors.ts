import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { type ErrorCode, ServiceError } from '../contract/errors';

export const LOCK_NOT_AVAILABLE = '55P03';
export const INSUFFICIENT_PRIVILEGE = '42501';

/** SQLSTATEs after which the whole unit of work may simply be done again. */
const CONFLICTS = new Set(['40001', '40P01']);

/**
 * Signs that the database is away or has no room, not that we asked wrongly: connection failures (class 08), shutdown and
 * start-up (57P01 to 57P03), too many connections (53300), and our own bounds on statements (57014) and locks (55P03).
 */
const UNAVAILABLE_STATES = /^(08...|57P0[1-5]|53300|57014|55P03|25P0[34])$/;
const UNAVAILABLE_CODES = new Set([
  'DATABASE_AWAY',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'ENOENT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** What `pg`, `pg-pool` and TypeORM say, in words only, of a connection that is not there. */
const UNAVAILABLE_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|not queryable|client has encountered a connection error|connection ended|not (?:yet )?(?:established|initialized)|driver not connected|after calling end on the pool/i;

/** Raised by this process itself, which knows that it is no use to ask, or that too many are waiting already. */
export class DatabaseAwayError extends Error {
  readonly code = 'DATABASE_AWAY';
}

/** The SQLSTATE or system code of a failed statement or connection. */
export function databaseCode(error: unknown): string | undefined {
  const cause = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  if (cause instanceof AggregateError) return databaseCode(cause.errors[0]);
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(databaseCode(error) ?? '');
}

/** Whether somebody was there to refuse a connection: a server, or the system of a machine without one. */
export function isRefusedConnection(error: unknown): boolean {
  const code = databaseCode(error) ?? '';
  return /^[0-9A-Z]{5}$/.test(code) || code === 'ECONNREFUSED' || code === 'ENOENT';
}

/** Whether a failed statement was the last of its connection: nobody answered, or the server said that it ends it. */
export function isConnectionOver(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P0)/.test(error.code ?? '');
}

/** Whether the server has no room for another connection. */
export function isFull(error: unknown): boolean {
  return databaseCode(error) === '53300';
}

export function isDatabaseUnavailable(error: unknown): boolean {
  const code = databaseCode(error);
  if (code !== undefined && (UNAVAILABLE_STATES.test(code) || UNAVAILABLE_CODES.has(code))) return true;
  return error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message);
}

/** What a caller is told of a failure of the database, or of conflicts that did not end: only to try again. */
export function translateDatabaseError(error: unknown): ServiceError | undefined {
  return isDatabaseUnavailable(error) || isConflict(error)
    ? new ServiceError('service.unavailable', {}, { cause: error })
    : undefined;
}

/** SQLSTATEs of our own functions, by which they refuse what would break a rule. */
const REFUSALS = new Map<string | undefined, ErrorCode>([
  ['UA001', 'status.last_administrator'],
  ['UA002', 'status.not_permitted'],
]);

/** The refusal that a function of the database raised, if that is why a statement failed. */
export function refusalOf(error: unknown): ServiceError | undefined {
  const code = REFUSALS.get(databaseCode(error));
  return code && new ServiceError(code, {}, { cause: error });
}
