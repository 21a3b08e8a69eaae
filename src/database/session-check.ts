import type { DatabaseBounds } from '../config/bounds';
import { CannotWriteError } from './database-errors';
import { DatabaseRefusedError } from './database-refused.error';

const MIN_VERSION = 14;

/**
 * Asks the server what it is, and sets the bounds of the session. Behind a connection pooler the session is shared with others;
 * `pg_backend_pid()` is then not the process that the connection was told of. There nothing is set, and `isBounded` tells whether
 * the role brings the same bounds (`ALTER ROLE`).
 */
export const SESSION_CHECK = `
  SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly", pg_is_in_recovery() AS "isStandby",
    current_setting('server_encoding') AS encoding, current_setting('server_version_num')::integer AS version,
    is_shared AS "isShared",
    CASE WHEN $2::text IS NULL THEN NULL WHEN NOT is_shared THEN
      set_config('statement_timeout', $2::text, false) || set_config('lock_timeout', $3::text, false) ||
        set_config('idle_in_transaction_session_timeout', $4::text, false) <> ''
    ELSE
      current_setting('statement_timeout')::interval = $2::text::integer * interval '1 ms' AND
        current_setting('lock_timeout')::interval = $3::text::integer * interval '1 ms' AND
        current_setting('idle_in_transaction_session_timeout')::interval = $4::text::integer * interval '1 ms'
    END AS "isBounded"
  FROM (SELECT pg_backend_pid() IS DISTINCT FROM coalesce($1::integer, pg_backend_pid()) AS is_shared) AS session`;

/** What {@link SESSION_CHECK} answers. */
export interface Session {
  isReadOnly: boolean;
  isStandby: boolean;
  encoding: string;
  /** As a number: 150013 is 15.13. */
  version: number;
  /** Whether a pooler stands between: each transaction can then run in another session, even on another server. */
  isShared: boolean;
  /** Null where no bounds were asked for. */
  isBounded: boolean | null;
}

/** @param backend the process of the server that the connection was told of */
export function sessionCheckValues(backend: number | null, bounds: DatabaseBounds | undefined): unknown[] {
  const limits = bounds && [bounds.statementMs, bounds.lockMs, bounds.idleTransactionMs];
  return [backend, ...(limits?.map(String) ?? [null, null, null])];
}

/**
 * @throws CannotWriteError where the server cannot write at the moment
 * @throws DatabaseRefusedError where it will never do
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
