import type { DatabaseBounds } from '@user-administration/postgres/settings';
import type { HttpBounds } from '@user-administration/http/log';
import { LIMITS } from '../contract/limits';
import type { EnvironmentReader } from './environment';

const HOUR_MS = 3_600_000;
const KIB = 1024;
const MIB = 1024 * KIB;
/** The largest body must fit. */
const MIN_BODY_MEMORY_MIB = LIMITS.listBodyBytes / MIB;

export function readDatabaseBounds(env: EnvironmentReader): DatabaseBounds {
  return Object.freeze({
    // The largest permitted assignment must fit.
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
    headerBytes: env.integer('HEADERS_MAX_KIB', 16, 16, 64) * KIB,
    bodyMemoryBytes: env.integer('BODY_MEMORY_MIB', 64, MIN_BODY_MEMORY_MIB, 65_536) * MIB,
  });
}
