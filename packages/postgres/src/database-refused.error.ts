import { DescribedError } from './described-error';
import { databaseCode } from './sql-errors';

const NOT_TRUSTED =
  'the certificate of the server is not trusted. Name the certificate of its authority in ' +
  'DATABASE_URL (sslrootcert=<file>)';

/** By SQLSTATE or Node's error code. Configured values are never quoted: they can contain a misplaced password. */
const REASONS: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the user or the password in DATABASE_URL (28P01). Correct them',
  '28000':
    'the server does not let the user in DATABASE_URL in from here (28000). Correct the user, or ' +
    'create it, or allow it in pg_hba.conf',
  '3D000': 'the server has no database of the name in DATABASE_URL (3D000). Correct the name, or create the database',
  '42501': 'the user in DATABASE_URL may not connect to it (42501). Grant the user CONNECT',
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate of the server is for another host. Name the host in DATABASE_URL as the certificate does',
};

/** What PostgreSQL adds to a 28000 if the connection that no line of pg_hba.conf permits had no TLS. */
const IS_PLAIN = /\b(no encryption|SSL off)$/;
const NOT_PLAIN =
  'the server does not let the user in DATABASE_URL in from here without encryption (28000). Correct DATABASE_URL: ' +
  'add sslmode=verify-full, if the server wants TLS; otherwise correct the user, or allow it in pg_hba.conf';

/** The server exists but can never be used as configured. */
export class DatabaseRefusedError extends DescribedError {
  /** @param why what is wrong, and what to do */
  constructor(why: string, options?: ErrorOptions) {
    super(`The database cannot be used: ${why}.`, options);
  }

  static by(cause: unknown): DatabaseRefusedError {
    const code = databaseCode(cause) ?? 'no code';
    const message = cause instanceof Error ? cause.message : String(cause);
    if (code === '28000' && IS_PLAIN.test(message)) return new DatabaseRefusedError(NOT_PLAIN, { cause });
    const why = REASONS[code] ?? `${message} (${code}). Correct DATABASE_URL, or the server`;
    return new DatabaseRefusedError(why, { cause });
  }
}
