import { LIMITS } from '../contract/limits';
import type { EnvironmentReader } from './environment';

/** Timeouts and queue limits for the database, in milliseconds. 0 in the first three means no timeout. */
export interface DatabaseBounds {
  /** For one statement. The largest permitted assignment must fit. */
  readonly statementMs: number;
  /** For a row that another transaction has locked. */
  readonly lockMs: number;
  /** For an idle transaction: the database then ends the connection and releases its locks. */
  readonly idleTransactionMs: number;
  /** For a new connection. */
  readonly connectMs: number;
  /** The number of units of work that can wait for a connection; the next one is refused at once. */
  readonly queue: number;
  /** For a connection of the pool to become free. */
  readonly queueMs: number;
}

/** Timeouts for callers, in milliseconds, and the memory for their bodies. */
export interface HttpBounds {
  /** For the headers of a request. */
  readonly headersMs: number;
  /** For the whole request, from its first byte to its last, and for reading more of an answer. */
  readonly requestMs: number;
  /** Between two requests on one connection. */
  readonly keepAliveMs: number;
  /** Between reporting that the service stops and refusing connections. */
  readonly drainMs: number;
  /** The memory for the bodies of all requests, in bytes. */
  readonly bodyMemoryBytes: number;
}

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;
/** The largest body must fit. */
const MIN_BODY_MEMORY_MIB = LIMITS.listBodyBytes / MIB;

export function readDatabaseBounds(env: EnvironmentReader): DatabaseBounds {
  return Object.freeze({
    statementMs: env.integer('DATABASE_STATEMENT_TIMEOUT_MS', 60_000, 0, HOUR_MS),
    lockMs: env.integer('DATABASE_LOCK_TIMEOUT_MS', 30_000, 0, HOUR_MS),
    idleTransactionMs: env.integer('DATABASE_IDLE_TRANSACTION_TIMEOUT_MS', 60_000, 0, HOUR_MS),
    connectMs: env.integer('DATABASE_CONNECT_TIMEOUT_MS', 5_000, 100, HOUR_MS),
    queue: env.integer('DATABASE_QUEUE_SIZE', 500, 0, 1_000_000),
    queueMs: env.integer('DATABASE_QUEUE_TIMEOUT_MS', 15_000, 100, HOUR_MS),
  });
}

export function readHttpBounds(env: EnvironmentReader): HttpBounds {
  return Object.freeze({
    headersMs: env.integer('HEADERS_TIMEOUT_MS', 10_000, 100, HOUR_MS),
    requestMs: env.integer('REQUEST_TIMEOUT_MS', 25_000, 100, HOUR_MS),
    keepAliveMs: env.integer('KEEP_ALIVE_TIMEOUT_MS', 65_000, 0, HOUR_MS),
    drainMs: env.integer('SHUTDOWN_DRAIN_MS', 1_000, 0, 60_000),
    bodyMemoryBytes: env.integer('BODY_MEMORY_MIB', 64, MIN_BODY_MEMORY_MIB, 65_536) * MIB,
  });
}
