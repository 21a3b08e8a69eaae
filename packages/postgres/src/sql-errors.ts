import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { AnswerLostError, CANNOT_WRITE, CannotWriteError, DatabaseAwayError, OvertakenError } from './database-errors';

export const LOCK_NOT_AVAILABLE = '55P03';
export const INSUFFICIENT_PRIVILEGE = '42501';

/** SQLSTATEs after which the whole unit of work can be retried. */
const CONFLICTS = new Set(['40001', '40P01']);

/** A violated foreign key or unique constraint. */
const TAKEN = new Set(['23503', '23505']);

/** SQLSTATEs of failures that the request did not cause, so the answer is 503. */
const UNAVAILABLE_STATES = [
  /^08...$/, // the connection failed
  /^25006$/, // the server is a standby or read-only
  /^25P0[34]$/, // a transaction was idle for too long
  /^(28...|3D000)$/, // the server refuses the user or the database
  /^53[0-3]..$/, // it lacks room, memory or connections
  /^57P0[1-5]$/, // it shuts down or starts
  /^58...$/, // its files fail
  /^(55P03|57014)$/, // a lock or a statement took longer than permitted
  /^(26000|42P05)$/, // a pooler lost a prepared statement
];
const UNAVAILABLE_CODES = new Set([
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
/** Messages of `pg`, `pg-pool` and TypeORM about a missing connection, which have no code. */
const UNAVAILABLE_MESSAGES = new RegExp(
  [
    'connection terminated',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'query read timeout',
    'not queryable',
    'client has encountered a connection error',
    'connection ended',
    'not (?:yet )?(?:established|initialized)',
    'driver not connected',
    'after calling end on the pool',
  ].join('|'),
  'i',
);

/** The error of `pg` behind that of TypeORM. */
export function driverErrorOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

/** The SQLSTATE or system code of a failed statement or connection. */
export function databaseCode(error: unknown): string | undefined {
  const cause = driverErrorOf(error);
  if (cause instanceof AggregateError) return databaseCode(cause.errors[0]);
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(databaseCode(error) ?? '');
}

/** Whether another transaction was faster, so that the unit of work can begin again. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof OvertakenError || isConflict(error);
}

/**
 * An {@link OvertakenError} for a violated unique or foreign key, for a unit that looked first; otherwise the error
 * itself.
 */
export function asOvertaken(error: unknown): unknown {
  return TAKEN.has(databaseCode(error) ?? '')
    ? new OvertakenError('another transaction created or deleted a record', { cause: error })
    : error;
}

/** Whether something refused the connection: a server, or the operating system of a machine without one. */
export function isRefusedConnection(error: unknown): boolean {
  const code = databaseCode(error) ?? '';
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) || code === 'ECONNREFUSED' || code === 'ENOENT';
}

/**
 * Whether a failed statement was the last of its connection: there was no answer, or the server said that it closes the
 * connection.
 */
export function isConnectionOver(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P0)/.test(error.code ?? '');
}

/** Whether the server is a standby or read-only. */
export function isReadOnly(error: unknown): boolean {
  return databaseCode(error) === CANNOT_WRITE;
}

/** Whether the answer to a commit was lost: the change may have been made. */
export function isCommitLost(error: unknown): boolean {
  return error instanceof QueryFailedError && error.query === 'COMMIT' && error.driverError instanceof AnswerLostError;
}

/** Whether the server has no room for another connection. */
export function isFull(error: unknown): boolean {
  return databaseCode(error) === '53300';
}

/** Whether the server cannot write because it lacks room or memory, or its files fail. */
export function isShortage(error: unknown): boolean {
  return /^(53[12]00|58...)$/.test(databaseCode(error) ?? '');
}

/** Whether a pooler has lost a prepared statement, or kept one of another client. */
export function isPreparedStatementLost(error: unknown): boolean {
  return /^(26000|42P05)$/.test(databaseCode(error) ?? '');
}

export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = driverErrorOf(error);
  if (cause instanceof DatabaseAwayError || isTransactionLost(cause)) return true;
  const code = databaseCode(cause);
  if (code !== undefined && (UNAVAILABLE_STATES.some((states) => states.test(code)) || UNAVAILABLE_CODES.has(code)))
    return true;
  return cause instanceof Error && UNAVAILABLE_MESSAGES.test(cause.message);
}

/** Whether the database ended the transaction before its commit was sent, such as one that was idle for too long. */
export function isTransactionEnded(error: unknown): boolean {
  return databaseCode(error) === '25P03' || isTransactionLost(driverErrorOf(error));
}

/** TypeORM's error for the next statement of a transaction whose connection has ended. */
function isTransactionLost(error: unknown): boolean {
  return error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError;
}

/** Whether a failed connection attempt can succeed later. An operator must correct a wrong password or name. */
export function mayConnectLater(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !/^(28...|3D000)$/.test(databaseCode(error) ?? '');
}

/**
 * Describes the outage for the log, as a sentence without its end.
 *
 * @param servers the hosts and ports, without any password
 */
export function describeOutage(error: unknown, servers: string): string {
  const code = databaseCode(error) ?? 'no answer';
  const database = `The database at ${servers}`;
  if (error instanceof CannotWriteError) return `${database} cannot write (${code}): it is ${error.what}`;
  return isShortage(error) ? `${database} cannot write (${code})` : `${database} is away (${code})`;
}
