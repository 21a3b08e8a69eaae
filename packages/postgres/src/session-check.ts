import type { DatabaseBounds } from './database-bounds';
import { CannotWriteError } from './database-errors';
import { DatabaseRefusedError } from './database-refused.error';

const MIN_VERSION = 14;

/**
 * Reads the properties of the server, and sets the bounds of the session. A pooler shares the session with others;
 * `pg_backend_pid()` then differs from the process id that the connection received. In that case nothing is set, and
 * `isBounded` says whether the role has the same bounds (`ALTER ROLE`).
 *
 * The session does not compile statements (JIT): that takes 0.1 s of a list, because the planner's estimate of a
 * permission's holders is far above what a page reads. Whatever the defaults of the server are or become, the session
 * does not end because it is idle or because a transaction is long, and its statements outside a transaction are READ
 * COMMITTED.
 */
export const SESSION_CHECK = `
  SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly", pg_is_in_recovery() AS "isStandby",
    current_setting('server_encoding') AS encoding, version, is_shared AS "isShared",
    pg_catalog.version() LIKE '%(PGlite %' AS "isOnly",
    CASE WHEN $2::text IS NULL THEN NULL WHEN NOT is_shared THEN
      set_config('statement_timeout', $2::text, false) || set_config('lock_timeout', $3::text, false) ||
        set_config('idle_in_transaction_session_timeout', $4::text, false) <> ''
    ELSE
      current_setting('statement_timeout')::interval = $2::text::integer * interval '1 ms' AND
        current_setting('lock_timeout')::interval = $3::text::integer * interval '1 ms' AND
        current_setting('idle_in_transaction_session_timeout')::interval = $4::text::integer * interval '1 ms'
    END AS "isBounded",
    CASE WHEN NOT is_shared THEN set_config('jit', 'off', false) || set_config('idle_session_timeout', '0', false) END,
    CASE WHEN NOT is_shared AND version >= 170000 THEN set_config('transaction_timeout', '0', false) END,
    CASE WHEN is_shared THEN current_setting('default_transaction_isolation')
      ELSE set_config('default_transaction_isolation', 'read committed', false) END = 'read committed' AS
      "isReadCommitted"
  FROM (SELECT pg_backend_pid() IS DISTINCT FROM coalesce($1::integer, pg_backend_pid()) AS is_shared,
    current_setting('server_version_num')::integer AS version) AS session`;

/** The row of {@link SESSION_CHECK}. */
export interface Session {
  isReadOnly: boolean;
  isStandby: boolean;
  encoding: string;
  /** As a number: 150013 is 15.13. */
  version: number;
  /** Whether a pooler is in between: each transaction can then run in another session, even on another server. */
  isShared: boolean;
  /** PGlite has one session for all connections, also where another process runs it. */
  isOnly: boolean;
  /** Null if no bounds were given. */
  isBounded: boolean | null;
  /** Whether a statement outside a transaction is READ COMMITTED. */
  isReadCommitted: boolean;
}

/** @param backend the server process id that the connection received */
export function sessionCheckValues(backend: number | null, bounds: SessionBounds | undefined): unknown[] {
  return [backend, ...(bounds ? boundsValues(bounds) : [null, null, null])];
}

type SessionBounds = Pick<DatabaseBounds, 'statementMs' | 'lockMs' | 'idleTransactionMs'>;

/** Sets the bounds of one transaction, with {@link boundsValues}. */
export const TRANSACTION_BOUNDS = `
  SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
    set_config('idle_in_transaction_session_timeout', $3, true)`;

export function boundsValues({ statementMs, lockMs, idleTransactionMs }: SessionBounds): string[] {
  return [statementMs, lockMs, idleTransactionMs].map(String);
}

/**
 * @throws CannotWriteError if the server cannot write at the moment
 * @throws DatabaseRefusedError if the server can never be used
 */
export function requireUsable({ isReadOnly, isStandby, encoding, version }: Session, mustWrite: boolean): void {
  const major = Math.floor(version / 10_000);
  if (major < MIN_VERSION) {
    throw new DatabaseRefusedError(`it is PostgreSQL ${major}. Use PostgreSQL ${MIN_VERSION} or later`);
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseRefusedError(`its encoding is ${encoding}. Create a database WITH ENCODING 'UTF8'`);
  }
  if (mustWrite && isReadOnly) throw new CannotWriteError(isStandby ? 'a standby' : 'read-only');
}
